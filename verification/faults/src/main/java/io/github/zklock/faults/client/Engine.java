package io.github.zklock.faults.client;

import io.github.zklock.LockRegistry;
import io.github.zklock.faults.timeline.Disruption;
import java.util.concurrent.Executor;

/** What a client process takes its locks from, over one connection to the servers. */
public interface Engine extends AutoCloseable {

    /** What is done while the lock is held. */
    @FunctionalInterface
    interface Work {

        /** For engines that have nothing of their own to do under a lock. */
        Runnable NOTHING_ELSE = () -> {};

        /**
         * Is done in the thread that asked.
         *
         * @param last what else the application does before it gives the lock back; what it throws gets out
         */
        void under(HeldLock heldLock, Runnable last);
    }

    /**
     * Asks for a lock, lets the work be done under it, and gives it back.
     *
     * @throws InterruptedException if interrupted while waiting
     */
    CallResult call(LockCall call, Work work) throws InterruptedException;

    /**
     * Asks to write, and becomes a reader before it gives that back.
     *
     * @param writing is done first, while nobody else has the lock
     * @param reading is done when the right to write has been given back
     * @throws InterruptedException if interrupted while waiting
     */
    CallResult downgrade(String lock, Work writing, Work reading) throws InterruptedException;

    /** What our own locks are taken from. */
    default LockRegistry registry() {
        throw new UnsupportedOperationException("These locks are those of others");
    }

    /** The number of the session that speaks to the servers now, in hexadecimal. */
    String session();

    /** Gets ready what such a call needs, so that it takes no time of the call. */
    default void prepare(LockCall call) {}

    /** What the application runs its tasks on. */
    default Executor executor() {
        return task -> new Thread(task).start();
    }

    /** Ends the connection and everything that hangs on it, as a foreign hand would: the engine is not told before. */
    void disrupt(Disruption disruption) throws Exception;

    /** Does something to the application that the locks are used by. */
    default void change(Change change) {
        throw new UnsupportedOperationException("There is no application to do this to: " + change);
    }

    /** What can be done to an application. */
    enum Change {
        /** It is closed, and asked for locks all the same. */
        CLOSE,
        /** Another one takes its place. */
        REFRESH,
        /** Those that it has told of its locks never come back. */
        BLOCK_LISTENERS,
        /** Those that it has told of its locks throw an exception. */
        BREAK_LISTENERS,
        /** Those that it has told of its locks throw an Error. */
        BREAK_LISTENERS_BY_ERROR;

        /** Whether whoever holds a lock has to give it back. */
        boolean closes() {
            return this == CLOSE || this == REFRESH;
        }
    }
}
