package io.github.zklock.leadership;

import io.github.zklock.annotation.OnlyLeader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/** Fails the start of a context in which a method with {@link OnlyLeader} would run everywhere or always fail. */
final class OnlyLeaderCheck implements BeanPostProcessor, SmartInitializingSingleton, AopInfrastructureBean {

    private record Found(Method method, Class<?> type) {}

    private final OnlyLeaderInterceptor interceptor;
    /** Methods that are validated when all singletons exist, because their leaderships are beans. */
    private final Queue<Found> found = new ConcurrentLinkedQueue<>();

    private volatile boolean complete;

    OnlyLeaderCheck(OnlyLeaderInterceptor interceptor) {
        this.interceptor = interceptor;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        if (AnnotationUtils.isCandidateClass(type, OnlyLeader.class)) {
            ReflectionUtils.doWithMethods(type, method -> find(method, type), method -> !method.isSynthetic());
        }
        return bean;
    }

    private void find(Method method, Class<?> type) {
        if (OnlyLeaderAdvisor.annotationOf(method, type) == null) {
            return;
        }
        if (isNotIntercepted(method)) {
            if (AnnotatedElementUtils.hasAnnotation(method, OnlyLeader.class)) {
                throw OnlyLeaderInterceptor.invalid(
                        method,
                        "is private, static or final: no proxy intercepts its calls, so it would run in every process",
                        "make it a public method of a bean");
            }
            return;
        }
        if (complete) {
            interceptor.check(method, type);
        } else {
            found.add(new Found(method, type));
        }
    }

    private static boolean isNotIntercepted(Method method) {
        int modifiers = method.getModifiers();
        return Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers);
    }

    @Override
    public void afterSingletonsInstantiated() {
        complete = true;
        for (Found each = found.poll(); each != null; each = found.poll()) {
            interceptor.check(each.method(), each.type());
        }
    }
}
