package io.github.zklock.aop;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.observation.CallObservation;
import org.jspecify.annotations.Nullable;

/**
 * The hold under which a method runs on the thread that acquired it: scope, log context and interrupt are opened with it
 * and closed in reverse.
 */
final class ThreadHold {

    private final HeldLock held;
    private final LockHandle shown;
    private final TransactionTie transactions;
    private final CallObservation.Scope observedScope;
    private final LogNames logNames;
    private final @Nullable LossInterrupt interrupt;

    private ThreadHold(LockedMethod method, LockRequest request, LockHandle handle, CallObservation observed) {
        this.held = new HeldLock(method, request, handle, observed);
        this.shown = method.parameters().wantHandle() ? Enclosing.ofThread().shown(request, handle) : handle;
        this.transactions = method.surroundings().transactions().get().forCall();
        this.interrupt = request.onLost() == OnLost.INTERRUPT ? LossInterrupt.on(handle) : null;
        this.observedScope = observed.open();
        this.logNames = new LogNames(request, handle);
        held.onLeave(LockContext.open(held.handle())::close);
    }

    static ThreadHold begin(LockedMethod method, LockRequest request, LockHandle handle, CallObservation observed) {
        try {
            return new ThreadHold(method, request, handle, observed);
        } catch (Throwable failed) {
            observed.ended(failed);
            HeldLock.giveBackUnused(handle);
            throw failed;
        }
    }

    /** What the method is to see of it: in a nested call, the handle of the call around it. */
    LockHandle handle() {
        return shown;
    }

    TransactionTie transactions() {
        return transactions;
    }

    /**
     * Ends the hold after the method has.
     *
     * @param failure what the method threw, into which a loss is suppressed; null if it returned
     * @throws LockLostException if the method returned and its lock was lost, unless the loss is only notified
     */
    void end(@Nullable Throwable failure) {
        if (interrupt != null) {
            interrupt.disarm();
        }
        logNames.close();
        observedScope.close();
        RuntimeException trouble = held.end(failure, transactions);
        if (trouble != null) {
            throw trouble;
        }
    }
}
