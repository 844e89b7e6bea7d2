package io.github.zklock.aop.internal.call;

import io.github.zklock.Handle;
import io.github.zklock.LockInterruptedException;
import io.github.zklock.LockState;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.aop.internal.declaration.Declaration;
import io.github.zklock.aop.internal.declaration.LockRequest;
import io.github.zklock.observation.CallObservation;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Holds the lock on the calling thread until the method returns. */
final class SynchronousMethod extends LockedMethod {

    private final boolean mayBeInterrupted;
    private final boolean returnsFuture;
    private final boolean mayReturnWork;

    SynchronousMethod(Declaration declaration, CallServices services, Class<?> returnType) {
        super(declaration, services, returnType);
        this.returnsFuture = Future.class.isAssignableFrom(returnType);
        this.mayReturnWork = LockedMethods.mayHideWork(returnType);
        this.mayBeInterrupted = Stream.of(declaration.method().getExceptionTypes())
                .anyMatch(declared -> declared.isAssignableFrom(InterruptedException.class));
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        LockedCall call = new LockedCall(this, invocation);
        LockRequest request = declaration.request(invocation);
        TransactionTie transactions = services.transactions.get();
        TransactionTie ofCall = transactions.forCall(request.names());
        CallObservation observed = call.observe(request, key -> null);
        Handle handle;
        try {
            handle = request.acquire();
        } catch (InterruptedException | RuntimeException | Error failure) {
            Throwable notAcquired =
                    failure instanceof InterruptedException interrupt ? interrupted(interrupt, request) : failure;
            observed.refused(notAcquired);
            return call.refused(notAcquired, request);
        }
        return run(call, HeldLock.onThread(call, request, handle, observed, ofCall, ofCall != transactions));
    }

    /** Returns the exception of a call whose wait was interrupted: one that the method declares, or an unchecked one. */
    private Exception interrupted(InterruptedException interrupt, LockRequest request) {
        if (mayBeInterrupted) {
            return interrupt;
        }
        Thread.currentThread().interrupt();
        return new LockInterruptedException(
                request.names().get(0),
                "Lock '%s' not acquired: the wait was interrupted. %s did not run"
                        .formatted(request.described(), declaration.place()),
                interrupt);
    }

    private @Nullable Object run(LockedCall call, HeldLock.OnThread hold) throws Throwable {
        @Nullable Object result;
        Throwable failureOfResult;
        try {
            result = call.proceed(hold);
            if (mayReturnWork && result != null) {
                checkEnded(result);
            }
            failureOfResult = returnsFuture && result instanceof Future<?> work ? failureOf(work, hold.shown) : null;
        } catch (Throwable failure) {
            hold.end(failure);
            throw failure;
        }
        hold.end(failureOfResult);
        return result;
    }

    /** Rejects a result that {@link LockedMethods} would reject or await if the method declared its type. */
    private void checkEnded(Object result) {
        if (LockedMethods.worksLater(result)) {
            throw new IllegalStateException(
                    "%s has returned a %s, which continues to work after the lock is released. Declare it as the return type"
                            .formatted(declaration.place(), result.getClass().getSimpleName()));
        }
    }

    /**
     * Waits for the future of an {@code @Async} method. The asynchronous thread would wait for it in any case. An
     * interrupt cancels the work. If that does not stop it, the wait continues, because the work needs the lock.
     */
    private static @Nullable Throwable failureOf(Future<?> work, Handle handle) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    work.get();
                    return null;
                } catch (ExecutionException failed) {
                    return AsyncCall.causeOf(failed);
                } catch (CancellationException cancelled) {
                    return cancelled;
                } catch (InterruptedException interrupt) {
                    interrupted = true;
                    if (handle.state() == LockState.LOST) {
                        work.cancel(true);
                        // if the loss caused the interrupt, the work itself has not failed
                        return null;
                    }
                    if (AsyncCall.stopsAtCancel(work)) {
                        work.cancel(true);
                        return interrupt;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
