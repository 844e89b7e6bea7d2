package io.github.zklock.aop.internal.call;

import io.github.zklock.Handle;
import io.github.zklock.JobNotDueException;
import io.github.zklock.LockException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.aop.internal.declaration.Fallback;
import io.github.zklock.aop.internal.declaration.LockRequest;
import io.github.zklock.aop.internal.declaration.MethodParameters;
import io.github.zklock.observation.CallObservation;
import io.github.zklock.observation.LockObservations;
import io.github.zklock.support.SkippedCall;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.support.AopUtils;

/** One call of an annotated method. Its arguments are read once, before the method runs. */
final class LockedCall {

    private static final Logger LOG = LoggerFactory.getLogger(LockedCall.class);

    final LockedMethod method;
    private final MethodInvocation invocation;

    LockedCall(LockedMethod method, MethodInvocation invocation) {
        this.method = method;
        this.invocation = invocation;
    }

    CallObservation observe(LockRequest request, Function<Object, @Nullable Object> carried) {
        LockObservations observations = method.services.observations.get();
        return observations.isNoop()
                ? CallObservation.NOTHING
                : observations.begin(method.declaration.observed(request), carried);
    }

    /** Runs the method under this hold. */
    @Nullable Object proceed(HeldLock.OnThread hold) throws Throwable {
        if (method.filledIn != null) {
            fillIn(invocation, method.filledIn, hold.shown);
        }
        if (hold.inTransaction) {
            ((ProxyMethodInvocation) invocation).setUserAttribute(TransactionTie.ATTRIBUTE, hold.transactions);
            tie(hold.handle(), hold.transactions);
        }
        return invocation.proceed();
    }

    /** Ties the acquired lock to the transaction around the call. */
    void tie(Handle acquired, TransactionTie transactions) {
        Object target = invocation.getThis();
        transactions.acquired(
                acquired,
                invocation.getMethod(),
                target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target));
    }

    /** Runs the method after its call has returned. Can be called several times. */
    @Nullable Object proceedAgain(Handle handle) throws Throwable {
        MethodInvocation run = ((ProxyMethodInvocation) invocation).invocableClone();
        if (method.filledIn != null) {
            fillIn(run, method.filledIn, handle);
        }
        // aspects inside read the exposed invocation, which the calling thread has already removed
        return ExposeInvocationInterceptor.INSTANCE.invoke(run);
    }

    private static void fillIn(MethodInvocation run, MethodParameters parameters, Handle handle) {
        ((ProxyMethodInvocation) run).setArguments(parameters.fill(run.getArguments(), handle));
    }

    /**
     * Applies the reaction to a lock that was busy for the whole wait time, or to a job that is not due. Throws any other
     * reason.
     */
    @Nullable Object refused(Throwable reason, LockRequest request) throws Throwable {
        if (reason instanceof LockTimeoutException || reason instanceof JobNotDueException) {
            return busy((LockException) reason, request);
        }
        throw reason;
    }

    private @Nullable Object busy(LockException busy, LockRequest request) throws Throwable {
        return switch (request.onBusy()) {
            case FALLBACK -> {
                Fallback fallback = method.declaration.fallback();
                if (fallback == null) {
                    throw busy;
                }
                LOG.debug("{} falls back: {}", method.declaration.place(), busy.getMessage());
                yield fallback.run(invocation, busy);
            }
            case SKIP -> {
                SkippedCall skipped = method.skipped.orElseThrow(() -> busy);
                LOG.debug("{} is skipped: {}", method.declaration.place(), busy.getMessage());
                yield skipped.value();
            }
            default -> throw busy;
        };
    }
}
