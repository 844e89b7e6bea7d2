package io.github.zklock.reactive;

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
 * The locks of a running reactive call: what {@link LockContext} is to a thread, the context of a subscription is to
 * operators and, through it, to coroutines. An annotated reactive method puts its handle there for what it returns, and
 * an annotated method that is subscribed to within re-enters the lock.
 *
 * <p>Not guaranteed: that {@link LockContext} knows any of it. It does on the thread that runs the annotated method
 * itself, until that has returned its publisher.
 */
public final class ReactiveLockContext {

    private static final Object KEY = ReactiveLockContext.class;

    private ReactiveLockContext() {}

    /** The handles of the locks around the subscription, innermost last; of a handle of several locks, its parts. */
    public static Mono<List<LockHandle>> current() {
        return Mono.deferContextual(context -> Mono.just(of(context)));
    }

    /**
     * Completes if the running call holds this lock, provably and now.
     *
     * <p>Fails with {@link IllegalMonitorStateException} if the call runs outside of it, and with {@link
     * LockLostException} if the lock was lost or cannot be proven to be held.
     */
    public static Mono<Void> assertHeld(String name) {
        LockName wanted = LockName.of(name);
        return Mono.deferContextual(context -> {
            innermost(wanted, of(context)).ensureHeld();
            return Mono.empty();
        });
    }

    /** What {@link #current()} yields to a subscription with this context. */
    public static List<LockHandle> of(ContextView context) {
        return context.hasKey(KEY) ? context.get(KEY) : List.of();
    }

    /**
     * A context for what may re-enter this lock too, as in {@code work.contextWrite(context ->
     * ReactiveLockContext.with(context, handle))}. The handle stays open.
     */
    public static Context with(Context context, LockHandle handle) {
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
