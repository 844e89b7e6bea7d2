package io.github.zklock.aop.method;

import java.lang.reflect.Method;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Applies the advice of an annotation to all methods with that annotation. */
public final class AnnotatedMethodAdvisor extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    final transient AnnotatedMethods<?> methods;
    final transient MethodAdvice methodAdvice;
    /** What a method does that no proxy intercepts, as the end of a sentence. */
    final String unguarded;

    /**
     * @param order the order among other advisors
     * @param unguarded what a method does that no proxy intercepts, as the end of a sentence: {@code would run without
     *     the lock}
     */
    public AnnotatedMethodAdvisor(AnnotatedMethods<?> methods, MethodAdvice advice, int order, String unguarded) {
        super(new Annotated(methods), advice);
        this.methods = methods;
        this.methodAdvice = advice;
        this.unguarded = unguarded;
        setOrder(order);
    }

    private static final class Annotated extends StaticMethodMatcherPointcut {

        private final AnnotatedMethods<?> methods;

        private Annotated(AnnotatedMethods<?> methods) {
            this.methods = methods;
            setClassFilter(type -> !methods.cannotBeIn(type));
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return !methods.of(method, targetClass).isEmpty();
        }
    }
}
