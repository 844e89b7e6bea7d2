package io.github.zklock.aop;

import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ties a lock to a transaction that already runs when the locked method is called, on its thread or around its
 * subscription.
 */
public interface TransactionTie {

    /**
     * The attribute of an invocation that holds the tie of the call. Advice inside the method's own transaction reads
     * it.
     */
    String ATTRIBUTE = TransactionTie.class.getName();

    /** Ties locks to no transaction. Used in applications without transactions. */
    TransactionTie NONE = new TransactionTie() {};

    /**
     * Returns the tie of one call. Called on the thread that is about to request these locks, before the method's own
     * transaction begins.
     *
     * @return this tie if no transaction runs
     * @throws IllegalStateException if the locks must not be acquired inside a transaction
     */
    default TransactionTie forCall(List<LockName> locks) {
        return this;
    }

    /**
     * Returns the handles that the transaction keeps and that are in no scope of its thread. Calls in the transaction
     * re-enter these locks.
     */
    default List<LockHandle> held() {
        return List.of();
    }

    /**
     * Called on the tie of a call when its lock was acquired, before the method and before its own transaction begins.
     *
     * @param method the method that is about to be invoked
     * @throws RuntimeException if the method must not be invoked; the caller then ends the hold
     */
    default void acquired(Handle handle, Method method, Class<?> targetClass) {}

    /**
     * Called on the tie of a call when the method itself begins, inside the method's own transaction. If the
     * transaction around the call is suspended at that point, the method does not take part in it, and the hold ends
     * with the method.
     *
     * <p>Not guaranteed: a call for each method. Only methods with a transaction annotation are advised.
     */
    default void entered() {}

    /**
     * Called on the same thread after the method has ended. Keeps the hold until the transaction around the call has
     * completed.
     *
     * @return false if there is no such transaction, or if the method took no part in it; the caller then ends the hold
     *     at once
     */
    default boolean takeOver(Hold hold) {
        return false;
    }

    /**
     * Called on the same thread instead of {@link #takeOver} if the lock was lost. The work done without the lock must
     * not be committed.
     */
    default void lost(Hold hold, LockLostException loss) {}

    /** A hold that can outlive its method. */
    interface Hold {

        Handle acquired();

        /** Closes the scope in which the thread re-enters the lock. To be called on that thread only. */
        void leave();

        /**
         * Releases the lock, from any thread.
         *
         * @param committed whether the work was committed
         * @return the loss if the lock was lost before
         */
        @Nullable LockLostException giveBack(boolean committed);
    }
}
