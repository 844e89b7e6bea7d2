package io.github.zklock.aop.internal.advice;

import io.github.zklock.aop.internal.declaration.AnnotationLookup;
import java.lang.reflect.Method;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Applies the interceptor to all annotated methods. By default, it is directly outside transactions and caches, which
 * have the lowest precedence, and inside every advisor with an order of its own, such as method security.
 */
final class DistributedLockAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    DistributedLockAdvisor(AnnotationLookup annotations, DistributedLockInterceptor interceptor, int order) {
        super(new Annotated(annotations), interceptor);
        setOrder(order);
    }

    private static final class Annotated extends StaticMethodMatcherPointcut {

        private final AnnotationLookup annotations;

        private Annotated(AnnotationLookup annotations) {
            this.annotations = annotations;
            setClassFilter(new Candidates());
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return !annotations.of(method, targetClass).isEmpty();
        }
    }

    private static final class Candidates implements ClassFilter {

        @Override
        public boolean matches(Class<?> type) {
            return !AnnotationLookup.cannotBeIn(type);
        }
    }
}
