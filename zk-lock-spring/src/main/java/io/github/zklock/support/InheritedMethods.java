package io.github.zklock.support;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** Methods that a class inherits from a superclass, and that implement an interface only in that class. */
public final class InheritedMethods {

    private InheritedMethods() {}

    /**
     * Returns the interface methods that a method implements for objects of this class, if the method is inherited and
     * its own class does not implement these interfaces. A search for annotations that begins at the method does not
     * find them.
     */
    public static Stream<Method> declarationsOf(Method method, Class<?> type) {
        Class<?> declaring = method.getDeclaringClass();
        if (declaring == type || declaring.isInterface()) {
            return Stream.empty();
        }
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .filter(each -> !each.isAssignableFrom(declaring))
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .filter(each -> each.getName().equals(method.getName())
                        && each.getParameterCount() == method.getParameterCount()
                        && AopUtils.getMostSpecificMethod(each, type).equals(method));
    }
}
