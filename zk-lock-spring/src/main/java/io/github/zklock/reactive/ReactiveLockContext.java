package io.github.zklock.reactive;

import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The locks of a running reactive call, stored in the context of its subscription. It is the counterpart of {@link
 * LockContext} for operators and coroutines. An annotated reactive method adds its handle to the context of the
 * publisher that it returns. An annotated method that is subscribed to with that context re-enters the lock.
 *
 * <p>Not guaranteed: that {@link LockContext} contains these locks. It contains them only on the thread that runs the
 * annotated method, until the method returns its publisher.
 */
public final class ReactiveLockContext {

    private static final Object KEY = ReactiveLockContext.class;

    private ReactiveLockContext() {}

    /**
     * Returns the handles of the locks around the subscription, innermost last. A handle of several locks is
     * represented by its parts.
     */
    public static Mono<List<LockHandle>> current() {
        return Mono.deferContextual(context -> Mono.just(of(context)));
    }

    /**
     * Completes if the running call provably holds this lock now.
     *
     * <p>If the call runs outside the lock, the result fails with {@link IllegalMonitorStateException}. If the lock is
     * lost or cannot be proven to be held, the result fails with {@link LockLostException}.
     */
    public static Mono<Void> assertHeld(String name) {
        LockName wanted = LockName.of(name);
        return Mono.deferContextual(context -> {
            innermost(wanted, of(context)).ensureHeld();
            return Mono.empty();
        });
    }

    /** Returns the handles that {@link #current()} emits for a subscription with this context. */
    public static List<LockHandle> of(ContextView context) {
        return context.hasKey(KEY) ? context.get(KEY) : List.of();
    }

    /**
     * Returns a context whose subscriptions can also re-enter this lock, as in {@code work.contextWrite(context ->
     * ReactiveLockContext.with(context, handle))}. The handle remains open.
     */
    public static Context with(Context context, Handle handle) {
        List<LockHandle> handles = new ArrayList<>(of(context));
        handles.addAll(handle.parts());
        return context.put(KEY, List.copyOf(handles));
    }

    private static LockHandle innermost(LockName wanted, List<LockHandle> handles) {
        for (int i = handles.size() - 1; i >= 0; i--) {
            if (handles.get(i).name().equals(wanted)) {
                return handles.get(i);
            }
        }
        throw new IllegalMonitorStateException(
                "Lock '%s' is not held by the running call; its guarded code runs unlocked. Acquire it first"
                        .formatted(wanted));
    }
}
