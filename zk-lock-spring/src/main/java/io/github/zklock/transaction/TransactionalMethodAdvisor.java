package io.github.zklock.transaction;

import io.github.zklock.annotation.CommitDespiteLockLoss;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.aop.TransactionTie;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Advises transactional methods directly inside their transactions. Reports to the lock around a method in which
 * transaction the method runs. Registers the check of the locks around a reactive result, or the exemption of its
 * transaction.
 *
 * <p>Not guaranteed: an effect on transactions of a {@code TransactionTemplate} or a {@code TransactionalOperator},
 * because these call no method that can be advised. Methods whose transactions are not declared by annotations are not
 * advised.
 */
final class TransactionalMethodAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private static final Transactional LOCKED = new Transactional();

    TransactionalMethodAdvisor() {
        super(new Transactional(), new Entry());
    }

    /** Returns whether this advisor reports the beginning of the method to the tie of its call. */
    static boolean advises(Method method, Class<?> targetClass) {
        return LOCKED.matches(method, targetClass);
    }

    /** Returns the name that Spring gives to the transaction of this method. */
    static String transactionOf(MethodInvocation invocation) {
        return ClassUtils.getQualifiedMethodName(invocation.getMethod(), targetClassOf(invocation));
    }

    private static Class<?> targetClassOf(MethodInvocation invocation) {
        Object target = invocation.getThis();
        return target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
    }

    private static boolean isOn(Method method, Class<?> targetClass, Class<? extends Annotation> annotation) {
        return MergedAnnotations.from(
                                AopUtils.getMostSpecificMethod(method, targetClass), SearchStrategy.TYPE_HIERARCHY)
                        .isPresent(annotation)
                || MergedAnnotations.from(targetClass, SearchStrategy.TYPE_HIERARCHY)
                        .isPresent(annotation);
    }

    /**
     * Selects the methods to advise. Requests no bean, because Spring applies it to every bean, including those of the
     * transactions.
     */
    private static class Transactional extends StaticMethodMatcherPointcut {

        final TransactionAttributeSource attributes = new AnnotationTransactionAttributeSource(false);

        private Transactional() {
            setClassFilter(attributes::isCandidateClass);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return attributes.hasTransactionAttribute(method, targetClass)
                    && (isReactive(method.getReturnType())
                            || isOn(method, targetClass, DistributedLock.class)
                            || isOn(method, targetClass, CommitDespiteLockLoss.class));
        }

        /**
         * Returns whether the declared type can be a reactive one. A suspending function is declared to return Object.
         */
        private static boolean isReactive(Class<?> returnType) {
            return returnType == Object.class
                    || ReactiveAdapterRegistry.getSharedInstance().getAdapter(returnType) != null;
        }
    }

    /** Selects the methods that may begin an exempt transaction. */
    static final class Exempt extends Transactional {

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return attributes.hasTransactionAttribute(method, targetClass)
                    && isOn(method, targetClass, CommitDespiteLockLoss.class);
        }
    }

    private static final class Entry implements MethodInterceptor {

        private static final boolean REACTOR =
                ClassUtils.isPresent("reactor.core.publisher.Mono", TransactionalMethodAdvisor.class.getClassLoader());

        /** Whether each reactive method exempts the transaction that it begins. */
        private final Map<MethodClassKey, Boolean> exempt = new ConcurrentHashMap<>();

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            ExemptionAdvisor.entered();
            if (invocation instanceof ProxyMethodInvocation proxied
                    && proxied.getUserAttribute(TransactionTie.ATTRIBUTE) instanceof TransactionTie tie) {
                tie.entered();
            }
            Object result = invocation.proceed();
            if (!REACTOR || result == null || result instanceof CompletionStage) {
                return result;
            }
            Method method = invocation.getMethod();
            ReactiveAdapter adapter =
                    ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result);
            return adapter != null && method.getReturnType().isAssignableFrom(adapter.getReactiveType())
                    ? entering(result, adapter, method, targetClassOf(invocation), transactionOf(invocation))
                    : result;
        }

        private Object entering(
                Object result, ReactiveAdapter adapter, Method method, Class<?> targetClass, String transaction) {
            if (threadRuns(transaction)) {
                // the result has no transaction of its own
                return result;
            }
            boolean isExempt = exempt.computeIfAbsent(
                    new MethodClassKey(method, targetClass),
                    key -> isOn(method, targetClass, CommitDespiteLockLoss.class));
            return ContextTransactions.entering(
                    result,
                    adapter,
                    AopUtils.getMostSpecificMethod(method, targetClass),
                    isExempt ? transaction : null);
        }

        /**
         * Returns whether the thread runs a transaction of this name that the innermost transactional method has begun.
         */
        private static boolean threadRuns(String name) {
            try {
                return ThreadTransaction.runs()
                        && name.equals(TransactionSynchronizationManager.getCurrentTransactionName())
                        && TransactionAspectSupport.currentTransactionStatus().isNewTransaction();
            } catch (NoTransactionException notByAdvice) {
                return false;
            }
        }
    }
}
