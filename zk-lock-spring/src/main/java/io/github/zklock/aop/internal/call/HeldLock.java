package io.github.zklock.aop.internal.call;

import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.aop.internal.declaration.LockRequest;
import io.github.zklock.aop.internal.declaration.MethodParameters;
import io.github.zklock.observation.CallObservation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hold of a call, from the grant of the lock until its release. The lock is released when the work has ended
 * and the transaction around the call has completed. If the session ends at any time, the
 * handle records the loss and {@link #end} reports it.
 *
 * <p>Only the hold of a synchronous call ({@link OnThread}) is bound to a thread. Its scope, log context and interrupt
 * are opened on the thread that acquired the lock. They are closed on that thread in reverse order.
 */
class HeldLock implements TransactionTie.Hold {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLock.class);

    /** Not the call: a transaction can keep the hold for longer than the arguments are needed. */
    private final LockedMethod method;

    private final LockRequest request;
    private final Handle handle;
    private final CallObservation observed;

    // scope and failure are written before a transaction takes over the hold

    /** Null if the hold is not bound to a thread. */
    private LockContext.@Nullable Scope scope;

    private @Nullable Throwable failure;

    private HeldLock(LockedCall call, LockRequest request, Handle granted, CallObservation observed) {
        this.method = call.method;
        this.request = request;
        this.observed = observed;
        this.handle = granted;
        observed.acquired(handle);
        request.limit(handle);
    }

    /**
     * Starts a hold that is not bound to a thread. If that fails, the lock is released.
     *
     * @throws LockLostException if the lock was lost between its grant and the start of the method
     */
    static HeldLock begin(LockedCall call, LockRequest request, Handle granted, CallObservation observed) {
        requireNotLost(call, request, granted, observed);
        try {
            return new HeldLock(call, request, granted, observed);
        } catch (Throwable failed) {
            observed.ended(failed);
            request.releaseUnused(granted);
            throw failed;
        }
    }

    /**
     * Starts a hold of the current thread. If that fails, the lock is released.
     *
     * @throws LockLostException if the lock was lost between its grant and the start of the method
     */
    static OnThread onThread(
            LockedCall call,
            LockRequest request,
            Handle granted,
            CallObservation observed,
            TransactionTie transactions,
            boolean inTransaction) {
        requireNotLost(call, request, granted, observed);
        try {
            return new OnThread(call, request, granted, observed, transactions, inTransaction);
        } catch (Throwable failed) {
            observed.ended(failed);
            request.releaseUnused(granted);
            throw failed;
        }
    }

    private static void requireNotLost(LockedCall call, LockRequest request, Handle granted, CallObservation observed) {
        if (granted.state() == LockState.LOST) {
            LockLostException lost = new LockLostException(
                    // several locks together have no single name
                    request.names().get(0),
                    "Lock '%s' was lost before %s began, which did not run"
                            .formatted(request.described(), call.method.declaration.place()));
            observed.refused(lost);
            request.releaseUnused(granted);
            throw lost;
        }
    }

    Handle handle() {
        return handle;
    }

    /**
     * Ends the hold after the work has ended. To be called once.
     *
     * @param failure the failure of the work, to which a failure of the lock is added as suppressed; null if the work
     *     succeeded
     * @return the failure of a call whose work succeeded; null if there is nothing to report
     */
    @Nullable RuntimeException end(@Nullable Throwable failure, TransactionTie transactions) {
        this.failure = failure;
        RuntimeException trouble = release(transactions);
        if (trouble == null) {
            return null;
        }
        if (failure != null) {
            if (failure != trouble) {
                failure.addSuppressed(trouble);
            }
            return null;
        }
        if (request.onLost() == OnLost.NOTIFY && trouble instanceof LockLostException) {
            LOG.debug("{} succeeded although its lock was lost: {}", method.declaration.place(), trouble.getMessage());
            return null;
        }
        return trouble;
    }

    private @Nullable RuntimeException release(TransactionTie transactions) {
        RuntimeException refusal = null;
        try {
            if (handle.state() != LockState.LOST && transactions.takeOver(this)) {
                return null;
            }
        } catch (RuntimeException notTakenOver) {
            // release the lock all the same: without its release, it would stay held
            refusal = notTakenOver;
        } catch (Error fatal) {
            leave();
            giveBack(false);
            throw fatal;
        }
        leave();
        try {
            LockLostException lost = giveBack(refusal == null);
            if (lost != null) {
                transactions.lost(this, lost);
            }
            return lost == null ? refusal : lost;
        } catch (RuntimeException broken) {
            // return the failure: if it were thrown, the result of the call would never complete
            return broken;
        }
    }

    @Override
    public Handle acquired() {
        return handle;
    }

    @Override
    public void leave() {
        if (scope != null) {
            scope.close();
        }
    }

    @Override
    public @Nullable LockLostException giveBack(boolean committed) {
        RuntimeException trouble = null;
        try {
            try {
                if (committed && failure == null) {
                    request.succeeded(handle);
                }
            } finally {
                // also after an Error: the lock would stay held
                handle.close();
            }
            return null;
        } catch (LockLostException lost) {
            trouble = lost;
            return lost;
        } catch (RuntimeException broken) {
            trouble = broken;
            throw broken;
        } finally {
            observed.ended(failure == null ? trouble : failure);
        }
    }

    /**
     * The hold of the thread that acquired the lock. A transaction can keep the scope open after the method; everything
     * else is closed with the method.
     */
    static final class OnThread extends HeldLock {

        /** The handle that the method receives: in a nested call, the handle of the call around it. */
        final Handle shown;

        final TransactionTie transactions;
        final boolean inTransaction;
        private final @Nullable LossInterrupt interrupt;
        private final CallObservation.Scope observedScope;
        private final LogNames logNames;

        private OnThread(
                LockedCall call,
                LockRequest request,
                Handle granted,
                CallObservation observed,
                TransactionTie transactions,
                boolean inTransaction) {
            super(call, request, granted, observed);
            Handle handle = super.handle;
            MethodParameters filledIn = call.method.filledIn;
            this.shown = filledIn != null && filledIn.wantHandle()
                    ? Enclosing.ofThread().shown(handle)
                    : handle;
            this.transactions = transactions;
            this.inTransaction = inTransaction;
            this.interrupt = request.onLost() == OnLost.INTERRUPT ? LossInterrupt.on(handle) : null;
            this.observedScope = observed.open();
            this.logNames = new LogNames(request, handle);
            super.scope = LockContext.open(handle);
        }

        /**
         * Ends the hold after the method has ended.
         *
         * @param failure the exception of the method, to which a loss is added as suppressed; null if the method
         *     returned
         * @throws LockLostException if the method returned and its lock was lost, unless the call uses {@link
         *     OnLost#NOTIFY}
         */
        void end(@Nullable Throwable failure) {
            if (interrupt != null) {
                interrupt.disarm();
            }
            logNames.close();
            observedScope.close();
            RuntimeException trouble = end(failure, transactions);
            if (trouble != null) {
                throw trouble;
            }
        }
    }
}
