package io.github.zklock.aop.internal.declaration;

import io.github.zklock.aop.InvalidDistributedLockException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.ClassUtils;

/** The class and method that an annotation applies to, for messages. */
public record Place(String text) {

    public static Place of(Method method, Class<?> targetClass) {
        return new Place(nameOf(method, targetClass) + "." + method.getName()
                + Stream.of(method.getParameterTypes())
                        .limit(MethodParameters.count(method))
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")")));
    }

    private static String nameOf(Method method, Class<?> targetClass) {
        return Stream.of(targetClass.getInterfaces())
                .filter(type -> Proxy.isProxyClass(targetClass)
                        && ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()))
                .findFirst()
                .<Class<?>>map(type -> type)
                .orElse(targetClass)
                .getSimpleName();
    }

    public InvalidDistributedLockException invalid(String problem, String remedy) {
        return new InvalidDistributedLockException(text, problem, remedy);
    }

    @Override
    public String toString() {
        return text;
    }
}
