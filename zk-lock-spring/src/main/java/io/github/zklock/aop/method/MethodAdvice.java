package io.github.zklock.aop.method;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.AopInfrastructureBean;

/** The advice of an annotation. A call of a method whose annotation is invalid fails, and the method does not run. */
public interface MethodAdvice extends MethodInterceptor, AopInfrastructureBean {

    /**
     * Validates the annotations that apply if this method is called on an object of this class. Called when all
     * singletons exist.
     *
     * @throws InvalidAnnotationException if an annotation is invalid
     */
    void validate(Method method, Class<?> targetClass);
}
