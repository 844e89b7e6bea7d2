package io.github.zklock.aop.internal.call;

import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.aop.internal.declaration.Declaration;
import io.github.zklock.aop.internal.declaration.Fallback;
import io.github.zklock.aop.internal.declaration.LockRequest;
import io.github.zklock.aop.internal.declaration.MethodParameters;
import io.github.zklock.observation.CallObservation;
import io.github.zklock.observation.LockObservations;
import java.util.Objects;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/** One call of an annotated method. Its arguments are read once, as they came. */
final class LockedCall {

    private static final Logger LOG = LoggerFactory.getLogger(LockedCall.class);

    private final LockedMethod method;
    private final MethodInvocation invocation;
    private final Object target;

    LockedCall(LockedMethod method, MethodInvocation invocation) {
        this.method = method;
        this.invocation = invocation;
        this.target = Objects.requireNonNull(invocation.getThis(), "An advised object has a target");
    }

    Declaration declaration() {
        return method.declaration;
    }

    CallServices services() {
        return method.services;
    }

    /** What the call asks for; null if it needs no lock. Evaluates expressions: to be asked once. */
    @Nullable LockRequest request() {
        return method.declaration.request(target, invocation.getArguments());
    }

    CallObservation observe(LockRequest request, Function<Object, @Nullable Object> carried) {
        LockObservations observations = method.services.observations();
        return observations.isNoop()
                ? CallObservation.NOTHING
                : observations.begin(method.declaration.observed(request), carried);
    }

    /** Runs the method as it is, for a call that needs no lock. */
    @Nullable Object proceed() throws Throwable {
        return invocation.proceed();
    }

    /** Runs the method under this hold. */
    @Nullable Object proceed(HeldLock.OnThread hold) throws Throwable {
        fillIn(invocation, hold.shown());
        TransactionTie transactions = hold.transactionsOfCall();
        if (transactions != null) {
            ((ProxyMethodInvocation) invocation).setUserAttribute(TransactionTie.ATTRIBUTE, transactions);
        }
        return invocation.proceed();
    }

    /** Runs the method as often as wanted, and after the call has returned. */
    @Nullable Object proceedAgain(LockHandle handle) throws Throwable {
        MethodInvocation run = ((ProxyMethodInvocation) invocation).invocableClone();
        fillIn(run, handle);
        // the thread that made the call has stopped to expose it, and aspects within ask for it
        return ExposeInvocationInterceptor.INSTANCE.invoke(run);
    }

    private void fillIn(MethodInvocation run, LockHandle handle) {
        MethodParameters parameters = method.declaration.filledIn();
        if (parameters != null) {
            ((ProxyMethodInvocation) run).setArguments(parameters.fill(run.getArguments(), handle));
        }
    }

    /** What the call comes to when others have held its lock for all of the wait time. */
    @Nullable Object busy(LockTimeoutException busy, LockRequest request) throws Throwable {
        return switch (request.onBusy()) {
            case FALLBACK -> {
                Fallback fallback = method.declaration.fallback();
                if (fallback == null) {
                    throw busy;
                }
                LOG.debug("{} falls back: {}", method.declaration.place(), busy.getMessage());
                yield fallback.run(target, invocation.getArguments(), busy);
            }
            case SKIP -> {
                LockedMethod.Skipped skipped = method.skipped.orElseThrow(() -> busy);
                LOG.debug("{} is skipped: {}", method.declaration.place(), busy.getMessage());
                yield skipped.value();
            }
            default -> throw busy;
        };
    }
}
