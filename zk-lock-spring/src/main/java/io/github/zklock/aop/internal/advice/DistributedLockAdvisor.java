package io.github.zklock.aop.internal.advice;

import io.github.zklock.aop.internal.declaration.AnnotationLookup;
import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Applies the interceptor to all annotated methods. By default, it is directly outside transactions and caches, which
 * have the lowest precedence, and inside every advisor with an order of its own, such as method security.
 */
final class DistributedLockAdvisor extends AbstractPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final transient Pointcut pointcut;
    private final transient DistributedLockInterceptor interceptor;

    DistributedLockAdvisor(AnnotationLookup annotations, DistributedLockInterceptor interceptor, int order) {
        this.pointcut = new Annotated(annotations);
        this.interceptor = interceptor;
        setOrder(order);
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return interceptor;
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
