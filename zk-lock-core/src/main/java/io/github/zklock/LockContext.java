package io.github.zklock;

import io.github.zklock.internal.OpenScopes;
import io.github.zklock.internal.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The locks of the running call: the open scopes of the current thread, innermost last. The methods of {@link
 * java.util.concurrent.locks.Lock} and {@code executeLocked} open scopes. {@link #open(Handle)} opens one
 * explicitly, for a handle that you pass to another thread. While a scope is open, its thread may re-enter the lock.
 */
public final class LockContext {

    private LockContext() {}

    /** Returns the handles of the open scopes, innermost last. A handle of several locks is replaced by its parts. */
    public static List<LockHandle> current() {
        List<Scope> scopes = OpenScopes.ofThread();
        if (scopes == null) {
            return List.of();
        }
        if (scopes.size() == 1) {
            return List.copyOf(scopes.get(0).handle.parts());
        }
        List<LockHandle> handles = new ArrayList<>(scopes.size());
        scopes.forEach(scope -> handles.addAll(scope.handle.parts()));
        return List.copyOf(handles);
    }

    /**
     * Returns the handle of the innermost open scope of this lock.
     *
     * @throws IllegalArgumentException if the name is not a lock name; see {@link LockName}
     */
    public static Optional<LockHandle> current(String name) {
        LockName wanted = LockName.of(name);
        List<LockHandle> handles = current();
        for (int i = handles.size() - 1; i >= 0; i--) {
            if (handles.get(i).name().equals(wanted)) {
                return Optional.of(handles.get(i));
            }
        }
        return Optional.empty();
    }

    /**
     * Checks that the running call provably holds this lock at this instant.
     *
     * @throws IllegalArgumentException if the name is not a lock name; see {@link LockName}
     * @throws IllegalMonitorStateException if the thread has no open scope of the lock
     * @throws LockLostException if the thread has such a scope, but the lock is lost or cannot be proven to be held
     */
    public static void assertHeld(String name) {
        current(name)
                .orElseThrow(() -> new IllegalMonitorStateException(
                        "Lock '%s' is not held by the running call; its guarded code runs unlocked. Acquire it first"
                                .formatted(LockName.of(name))))
                .ensureHeld();
    }

    /**
     * Opens a scope of this handle on the current thread. Until the scope is closed, the thread may re-enter the lock.
     * Closing the scope does not close the handle.
     */
    public static Scope open(Handle handle) {
        Objects.requireNonNull(handle, "handle");
        Scope scope = new Scope(handle, Thread.currentThread());
        List<Scope> scopes = OpenScopes.ofThread();
        if (scopes == null) {
            scopes = new ArrayList<>(2);
            OpenScopes.set(scopes);
        }
        scopes.add(scope);
        return scope;
    }

    /** Runs the action in a scope of this handle. Closes the scope and the handle afterwards. */
    static <T extends @Nullable Object, E extends Throwable> T call(LockHandle handle, LockRegistry.Action<T, E> action)
            throws E {
        // the handle is closed last; an exception of its close is suppressed into an exception of the action
        try (handle;
                Scope scope = open(handle)) {
            return action.call(handle);
        }
    }

    /** An open scope. Close it on the thread that opened it. */
    public static final class Scope implements AutoCloseable {

        private final Handle handle;
        private final Thread thread;

        private Scope(Handle handle, Thread thread) {
            this.handle = handle;
            this.thread = thread;
        }

        /**
         * Closes the scope. Does nothing if the scope is closed already.
         *
         * @throws IllegalMonitorStateException if another thread opened it
         */
        @Override
        public void close() {
            if (Thread.currentThread() != thread) {
                throw new IllegalMonitorStateException(
                        "The scope of lock '%s' was opened by thread '%s'; close it on that thread"
                                .formatted(names(), Words.nameOf(thread)));
            }
            List<Scope> scopes = OpenScopes.ofThread();
            if (scopes != null && scopes.remove(this) && scopes.isEmpty()) {
                OpenScopes.set(null);
            }
        }

        private String names() {
            return handle.parts().stream().map(part -> part.name().value()).collect(Collectors.joining("', '"));
        }
    }
}
