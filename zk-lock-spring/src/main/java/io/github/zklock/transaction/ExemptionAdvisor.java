package io.github.zklock.transaction;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Advises exempt methods outside their transactions. Announces the transaction that the method begins, so that {@link
 * OwnershipCheck} exempts it at its begin.
 */
final class ExemptionAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    /** The name of the transaction that the innermost exempt method may begin next. */
    private static final ThreadLocal<String> ANNOUNCED = new ThreadLocal<>();

    ExemptionAdvisor() {
        super(new TransactionalMethodAdvisor.Exempt(), new Announcement());
        // outside everything but the interceptor that exposes the invocation
        setOrder(Ordered.HIGHEST_PRECEDENCE + 2);
    }

    /** Returns whether the transaction of this name, which has just begun, is that of the exempt method. */
    static boolean concerns(@Nullable String transaction) {
        String announced = ANNOUNCED.get();
        return announced != null && announced.equals(transaction);
    }

    /** Ends the announcement, because the method itself has begun: an overload of it may begin a transaction. */
    static void entered() {
        ANNOUNCED.remove();
    }

    private static final class Announcement implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            String outer = ANNOUNCED.get();
            ANNOUNCED.set(TransactionalMethodAdvisor.transactionOf(invocation));
            try {
                return invocation.proceed();
            } finally {
                if (outer == null) {
                    ANNOUNCED.remove();
                } else {
                    ANNOUNCED.set(outer);
                }
            }
        }
    }
}
