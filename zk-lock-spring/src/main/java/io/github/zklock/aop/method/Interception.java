package io.github.zklock.aop.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.AbstractBeanFactoryBasedTargetSource;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * How the proxies around an object pass a call to the advice of an annotation. The proxies themselves are examined:
 * settings, annotations and other post-processors decide which kind of proxy a bean gets.
 *
 * @param opaqueProxies whether the proxy creator of the context makes proxies whose advice cannot be read
 */
record Interception(AnnotatedMethodAdvisor advisor, boolean opaqueProxies) {

    /**
     * A reason why calls do not reach the advice.
     *
     * @param problem what is wrong, as the predicate of a sentence about the annotation
     * @param remedy what to do about it, as an imperative
     */
    record Gap(String problem, String remedy) {}

    /** Returns whether a proxy of this object has the advice. */
    boolean isAdvised(Object bean) {
        return advisedLayer(bean) != null;
    }

    /** Returns why calls of the method on this object do not reach the advice; null if they do. */
    @Nullable Gap gap(Object bean, Method method, Class<?> type) {
        Object advised = advisedLayer(bean);
        Object layer = bean;
        while (layer != null) {
            Gap gap = AopUtils.isJdkDynamicProxy(layer)
                    ? gapOfInterfaces(layer, method, type)
                    : gapOfClass(layer.getClass(), method);
            if (gap != null || layer == advised) {
                return gap;
            }
            layer = AopProxyUtils.getSingletonTarget(layer);
        }
        return null;
    }

    /** Returns the outermost proxy with the advice; null if there is none. */
    private @Nullable Object advisedLayer(@Nullable Object bean) {
        Object layer = bean;
        while (layer instanceof SpringProxy) {
            if (!(layer instanceof Advised advised)) {
                return opaqueProxies ? layer : null;
            }
            if (Stream.of(advised.getAdvisors()).anyMatch(this::isOfTheAnnotation)
                    || isOfAnotherBean(advised.getTargetSource())) {
                return layer;
            }
            layer = AopProxyUtils.getSingletonTarget(layer);
        }
        return null;
    }

    private boolean isOfTheAnnotation(Object other) {
        // a parent context may have an advisor of its own
        return other instanceof AnnotatedMethodAdvisor same
                && same.methods.annotation() == advisor.methods.annotation();
    }

    /** Returns whether the proxy delegates to another bean, which is checked itself: a scoped proxy does. */
    private static boolean isOfAnotherBean(TargetSource target) {
        return target instanceof AbstractBeanFactoryBasedTargetSource;
    }

    private @Nullable Gap gapOfInterfaces(Object proxy, Method method, Class<?> type) {
        if (isOfTheClassOnly(method)) {
            return null;
        }
        return AnnotatedMethods.isDeclaredBy(proxy.getClass().getInterfaces(), method, type)
                ? null
                : new Gap(
                        "is not declared by an interface of its bean's proxy, which only implements interfaces",
                        "declare the method in such an interface, or use a proxy of the class: set"
                                + " spring.aop.proxy-target-class=true");
    }

    private @Nullable Gap gapOfClass(Class<?> proxy, Method method) {
        if (isOverridden(method, proxy)) {
            return null;
        }
        if (Modifier.isFinal(method.getModifiers())) {
            return finalMethod(method, advisor);
        }
        return isOfTheClassOnly(method) && !advisor.methods.isOnClass(method.getDeclaringClass())
                ? null
                : new Gap(
                        "is visible only in the package of "
                                + method.getDeclaringClass().getSimpleName()
                                + ", where its proxy is not, so it " + advisor.unguarded,
                        "make it public or protected");
    }

    static Gap finalMethod(Method method, AnnotatedMethodAdvisor advisor) {
        return new Gap(
                (Modifier.isFinal(method.getModifiers()) ? "is final" : "is on a final class")
                        + ": no proxy intercepts its calls, so it " + advisor.unguarded,
                "make it open for extension (in Kotlin: use the compiler plugin for Spring)");
    }

    /**
     * Returns whether the annotation is on the class and the method cannot be called by all other beans. A class may
     * inherit such methods from a framework.
     */
    private boolean isOfTheClassOnly(Method method) {
        return !Modifier.isPublic(method.getModifiers()) && !advisor.methods.isOnMethod(method);
    }

    private static boolean isOverridden(Method method, Class<?> proxy) {
        Class<?> declaring = method.getDeclaringClass();
        boolean isOfThePackage = ClassUtils.getPackageName(declaring).equals(ClassUtils.getPackageName(proxy))
                && declaring.getClassLoader() == proxy.getClassLoader();
        boolean isVisible = Modifier.isPublic(method.getModifiers()) || Modifier.isProtected(method.getModifiers());
        return (isVisible || isOfThePackage)
                && Stream.of(ReflectionUtils.getDeclaredMethods(proxy))
                        .anyMatch(own -> own.getName().equals(method.getName())
                                && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
    }
}
