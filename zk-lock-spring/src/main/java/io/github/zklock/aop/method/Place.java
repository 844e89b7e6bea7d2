package io.github.zklock.aop.method;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/**
 * The class and method that an annotation applies to, for messages.
 *
 * @param annotation the simple name of the annotation
 * @param type the name of the class, with its package
 * @param method the name of the method, and the types of its parameters
 */
public record Place(String annotation, String type, String method) {

    static Place of(Class<?> annotation, Method method, Class<?> targetClass) {
        // the continuation of a suspending function is no parameter of its source
        int parameters = method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
        return new Place(
                annotation.getSimpleName(),
                declaring(method, targetClass).getTypeName(),
                method.getName()
                        + Stream.of(method.getParameterTypes())
                                .limit(parameters)
                                .map(Class::getSimpleName)
                                .collect(Collectors.joining(", ", "(", ")")));
    }

    /** Returns the class; the interface that declares the method if the class is one that the JVM has generated. */
    private static Class<?> declaring(Method method, Class<?> targetClass) {
        return Stream.of(targetClass.getInterfaces())
                .filter(type -> Proxy.isProxyClass(targetClass)
                        && ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()))
                .findFirst()
                .<Class<?>>map(each -> each)
                .orElse(targetClass);
    }

    /** Returns the exception for a mistake. */
    public InvalidAnnotationException invalid(String problem, String remedy) {
        return new InvalidAnnotationException("@" + annotation + " on " + type + "." + method, problem, remedy);
    }

    /** Returns the name for logs and for exceptions of calls: the simple name of the class, and the method. */
    @Override
    public String toString() {
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1) + "." + method;
    }
}
