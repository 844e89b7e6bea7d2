package io.github.zklock.aop;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What ties a lock to a transaction that already runs when its method is called, on its thread or around its subscription. */
public interface TransactionTie {

    /** The attribute of an invocation under which advice inside of the method's transaction finds the tie of the call. */
    String ATTRIBUTE = TransactionTie.class.getName();

    /** For applications without transactions. */
    TransactionTie NONE = new TransactionTie() {
        @Override
        public void beforeAcquire(List<LockName> locks) {}

        @Override
        public boolean takeOver(Hold hold) {
            return false;
        }

        @Override
        public void lost(Hold hold, LockLostException loss) {}
    };

    /**
     * Called on the thread that is about to ask for these locks.
     *
     * @throws IllegalStateException if they must not be acquired inside a transaction
     */
    void beforeAcquire(List<LockName> locks);

    /** What the transaction holds and its thread does not know of: it is re-entered. */
    default List<LockHandle> held() {
        return List.of();
    }

    /**
     * Returns the tie of one call. Called on its thread when the locks have been acquired, before the method runs and before
     * the method's own transaction begins.
     *
     * @return this tie if no transaction runs
     */
    default TransactionTie forCall() {
        return this;
    }

    /**
     * Called on the tie of a call where the method itself begins, inside of the method's own transaction. If the transaction
     * around the call is suspended there, the method takes no part in it, and the hold ends with the method.
     *
     * <p>Not guaranteed: that it is called, since only methods with an annotation for transactions are advised.
     */
    default void entered() {}

    /**
     * Called on the same thread when the method has ended: sees to it that the hold ends when the transaction around the
     * call has completed.
     *
     * @return false if there is none to wait for, or the method took no part in it: the caller is to end the hold at once
     */
    boolean takeOver(Hold hold);

    /** Called instead, on the same thread, if the lock was lost by then: what was done without it must not be committed. */
    void lost(Hold hold, LockLostException loss);

    /** A hold that outlives its method. */
    interface Hold {

        LockHandle acquired();

        /** Ends the scope in which the thread re-enters the lock. On that thread only. */
        void leave();

        /** Gives the lock back, from any thread, and returns the loss if it was lost before. */
        @Nullable LockLostException giveBack();
    }
}
