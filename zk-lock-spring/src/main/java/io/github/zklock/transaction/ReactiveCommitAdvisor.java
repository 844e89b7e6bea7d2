package io.github.zklock.transaction;

import io.github.zklock.LockHandle;
import io.github.zklock.reactive.ReactiveLockContext;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Stands just inside transactional methods with reactive results and registers the check of the locks around the
 * subscription with their transaction: a listener of the manager would not know the subscription.
 *
 * <p>Not guaranteed: anything about a {@code TransactionalOperator}, which calls no method that could be advised.
 */
final class ReactiveCommitAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    ReactiveCommitAdvisor() {
        super(new Transactional(), (MethodInterceptor) invocation -> checked(invocation.proceed()));
    }

    private static @Nullable Object checked(@Nullable Object result) {
        ReactiveAdapter adapter = result == null || result instanceof CompletionStage
                ? null
                : ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result);
        if (adapter == null) {
            return result;
        }
        Publisher<?> own = adapter.toPublisher(result);
        Mono<Void> registration = Mono.deferContextual(context -> {
            register(context);
            return Mono.empty();
        });
        return adapter.fromPublisher(
                adapter.isMultiValue()
                        ? registration.thenMany(Flux.from(own))
                        : registration.then(Mono.fromDirect(own)));
    }

    private static void register(ContextView context) {
        List<LockHandle> around = ReactiveLockContext.of(context);
        TransactionSynchronizationManager transaction = around.isEmpty() ? null : CurrentTransaction.in(context);
        if (transaction != null && transaction.isSynchronizationActive()) {
            transaction.registerSynchronization(ReactiveCommitCheck.of(around));
        }
    }

    /** Asks for no bean: it is asked about every bean, those of the transactions among them. */
    private static final class Transactional extends StaticMethodMatcherPointcut {

        private final TransactionAttributeSource attributes = new AnnotationTransactionAttributeSource(false);

        private Transactional() {
            setClassFilter(attributes::isCandidateClass);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return isReactive(method.getReturnType()) && attributes.hasTransactionAttribute(method, targetClass);
        }

        /** What a suspending function returns is declared as an object. */
        private static boolean isReactive(Class<?> returnType) {
            return returnType == Object.class
                    || ReactiveAdapterRegistry.getSharedInstance().getAdapter(returnType) != null;
        }
    }
}
