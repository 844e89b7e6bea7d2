package io.github.zklock;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The locks of the running call: the open scopes of the current thread, innermost last. Scopes are opened by {@link
 * java.util.concurrent.locks.Lock} methods and {@code executeLocked}, and by {@link #open(LockHandle)} where a handle is
 * carried to another thread on purpose. While a scope is open, its thread re-enters the lock.
 */
public final class LockContext {

    private static final ThreadLocal<List<Scope>> SCOPES = new ThreadLocal<>();

    private LockContext() {}

    /** The handles of the open scopes, innermost last; of a handle of several locks, its parts. */
    public static List<LockHandle> current() {
        List<Scope> scopes = SCOPES.get();
        if (scopes == null) {
            return List.of();
        }
        List<LockHandle> handles = new ArrayList<>(scopes.size());
        scopes.forEach(scope -> handles.addAll(scope.handle().parts()));
        return List.copyOf(handles);
    }

    /** The handle of the innermost open scope of this lock. */
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
     * Returns if the running call holds this lock, provably and now.
     *
     * @throws IllegalMonitorStateException if the thread has no open scope of it
     * @throws LockLostException if it has one, but lost the lock or cannot prove to hold it
     */
    public static void assertHeld(String name) {
        current(name)
                .orElseThrow(() -> new IllegalMonitorStateException(
                        "Lock '%s' is not held by the running call; its guarded code runs unlocked. Acquire it first"
                                .formatted(LockName.of(name))))
                .ensureHeld();
    }

    /**
     * Opens a scope of this handle on the current thread, which may re-enter its lock until the scope is closed. The
     * handle stays open.
     */
    public static Scope open(LockHandle handle) {
        Objects.requireNonNull(handle, "handle");
        Scope scope = new Scope(handle, Thread.currentThread());
        List<Scope> scopes = SCOPES.get();
        if (scopes == null) {
            scopes = new ArrayList<>(2);
            SCOPES.set(scopes);
        }
        scopes.add(scope);
        return scope;
    }

    /** What messages call a thread: its name, or its number where it has none, as virtual threads. */
    public static String nameOf(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "#" + thread.getId() : name;
    }

    /** The handles of the open scopes as they were opened. */
    static Stream<LockHandle> wholes() {
        List<Scope> scopes = SCOPES.get();
        return scopes == null ? Stream.empty() : scopes.stream().map(Scope::handle);
    }

    /** Asks as a thread would whose open scopes are those of these handles, innermost last, and no others. */
    static <T> T askedWithin(List<LockHandle> handles, Supplier<T> question) {
        List<Scope> own = SCOPES.get();
        List<Scope> scopes = new ArrayList<>();
        handles.forEach(handle -> scopes.add(new Scope(handle, Thread.currentThread())));
        SCOPES.set(scopes);
        try {
            return question.get();
        } finally {
            if (own == null) {
                SCOPES.remove();
            } else {
                SCOPES.set(own);
            }
        }
    }

    /** Runs the action in a scope of this handle, and closes both. */
    static <T extends @Nullable Object, E extends Throwable> T call(LockHandle handle, LockedCallable<T, E> action)
            throws E {
        // the handle is closed last, and what it throws is suppressed into what the action throws
        try (handle;
                Scope scope = open(handle)) {
            return action.call(handle);
        }
    }

    /** An open scope; close it on the thread that opened it. */
    public static final class Scope implements AutoCloseable {

        private final LockHandle handle;
        private final Thread thread;

        private Scope(LockHandle handle, Thread thread) {
            this.handle = handle;
            this.thread = thread;
        }

        public LockHandle handle() {
            return handle;
        }

        /**
         * Closes the scope. Does nothing if it is closed.
         *
         * @throws IllegalMonitorStateException if another thread opened it
         */
        @Override
        public void close() {
            if (Thread.currentThread() != thread) {
                throw new IllegalMonitorStateException(
                        "The scope of lock '%s' was opened by thread '%s' and can only be closed there"
                                .formatted(names(), nameOf(thread)));
            }
            List<Scope> scopes = SCOPES.get();
            if (scopes != null && scopes.remove(this) && scopes.isEmpty()) {
                SCOPES.remove();
            }
        }

        private String names() {
            return handle.parts().stream().map(part -> part.name().value()).collect(Collectors.joining("', '"));
        }
    }
}
