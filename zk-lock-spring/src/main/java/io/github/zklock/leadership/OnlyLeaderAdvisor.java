package io.github.zklock.leadership;

import io.github.zklock.annotation.OnlyLeader;
import io.github.zklock.support.InheritedMethods;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.stream.Stream;
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

    /** Returns whether the methods of this class need not be searched. */
    static boolean cannotBeIn(Class<?> type) {
        return !AnnotationUtils.isCandidateClass(type, OnlyLeader.class);
    }

    /** Returns the annotation that applies if this method is called on an object of this class; null if there is none. */
    static @Nullable OnlyLeader annotationOf(Method method, Class<?> type) {
        Method own = AopUtils.getMostSpecificMethod(method, type);
        if (ReflectionUtils.isObjectMethod(own)) {
            return null;
        }
        return Stream.<AnnotatedElement>concat(
                        Stream.of(own), Stream.concat(InheritedMethods.declarationsOf(own, type), Stream.of(type)))
                .map(element -> AnnotatedElementUtils.findMergedAnnotation(element, OnlyLeader.class))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
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
