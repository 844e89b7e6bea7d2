package io.github.zklock.leadership;

import io.github.zklock.annotation.OnlyLeader;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/** Applies the interceptor to all methods with {@link OnlyLeader}, outside their locks and transactions. */
final class OnlyLeaderAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    /** @param order the order of the advisor of locks, which is inside this one */
    OnlyLeaderAdvisor(OnlyLeaderInterceptor interceptor, int order) {
        super(new Annotated(), interceptor);
        setOrder(order == Integer.MIN_VALUE ? order : order - 1);
    }

    /**
     * Returns whether the methods of this class need not be searched, which takes some microseconds for each method.
     * Most beans of an application are of classes of Spring.
     */
    static boolean cannotBeIn(Class<?> type) {
        return type.getName().startsWith("org.springframework.")
                || !AnnotationUtils.isCandidateClass(type, OnlyLeader.class);
    }

    /** Returns the annotation that applies if this method is called on an object of this class; null if there is none. */
    static @Nullable OnlyLeader annotationOf(Method method, Class<?> type) {
        Method own = AopUtils.getMostSpecificMethod(method, type);
        OnlyLeader onMethod = AnnotatedElementUtils.findMergedAnnotation(own, OnlyLeader.class);
        return onMethod != null || ReflectionUtils.isObjectMethod(own)
                ? onMethod
                : AnnotatedElementUtils.findMergedAnnotation(type, OnlyLeader.class);
    }

    private static final class Annotated extends StaticMethodMatcherPointcut {

        private Annotated() {
            setClassFilter(type -> !cannotBeIn(type));
        }

        @Override
        public boolean matches(Method method, Class<?> type) {
            return annotationOf(method, type) != null;
        }
    }
}
