package io.github.zklock.leadership;

import io.github.zklock.annotation.OnlyLeader;
import io.github.zklock.support.CreatedBeans;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Fails the start of a context in which a method with {@link OnlyLeader} would run in every process or always fail. */
final class OnlyLeaderCheck implements BeanPostProcessor, SmartInitializingSingleton, AopInfrastructureBean {

    private static final Logger LOG = LoggerFactory.getLogger(OnlyLeaderCheck.class);

    private final OnlyLeaderInterceptor interceptor;
    private final ConfigurableListableBeanFactory beans;
    /** The annotated methods of each class that was checked. */
    private final Map<Class<?>, List<Method>> annotated = new ConcurrentHashMap<>();

    private final CreatedBeans created;

    /** Whether all singletons exist, and so all leaderships. */
    private volatile boolean complete;

    OnlyLeaderCheck(OnlyLeaderInterceptor interceptor, ConfigurableListableBeanFactory beans, CreatedBeans created) {
        this.interceptor = interceptor;
        this.beans = beans;
        this.created = created;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (!(bean instanceof SpringProxy)) {
            check(typeOf(bean));
        }
        return bean;
    }

    /** Checks products of factory beans, for which Spring calls only this method. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        check(typeOf(bean));
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        complete = true;
        for (String name : beans.getSingletonNames()) {
            Object bean = beans.getSingleton(name);
            if (bean != null && !(bean instanceof AopInfrastructureBean)) {
                checkSingleton(bean, name);
            }
        }
        // beans that are no singletons, and products of factory beans
        annotated.forEach((type, methods) -> methods.forEach(method -> interceptor.check(method, type)));
    }

    private void checkSingleton(Object bean, String name) {
        List<Method> methods;
        try {
            methods = check(typeOf(bean));
        } catch (LinkageError unreadable) {
            LOG.debug("Bean '{}' cannot be searched for annotated methods", name, unreadable);
            return;
        }
        if (methods.isEmpty() || isIntercepted(bean)) {
            return;
        }
        if (beans.containsBeanDefinition(name) && !created.contains(name)) {
            LOG.debug("Bean '{}' is replaced by an object that runs in every process: {}", name, methods.get(0));
            return;
        }
        throw OnlyLeaderInterceptor.invalid(
                methods.get(0),
                "would run in every process: bean '" + name + "' has no proxy",
                "declare it as a bean that no BeanPostProcessor or BeanFactoryPostProcessor requires, and do not disable"
                        + " the auto-configuration of annotated methods");
    }

    /** Returns whether the bean asks for the leader. A proxy that cannot be inspected is accepted. */
    private static boolean isIntercepted(Object bean) {
        if (!(bean instanceof Advised advised)) {
            return bean instanceof SpringProxy;
        }
        // the target of a scoped proxy is a bean of its own
        return !advised.getTargetSource().isStatic()
                || Stream.of(advised.getAdvisors()).anyMatch(OnlyLeaderAdvisor.class::isInstance)
                || (AopProxyUtils.getSingletonTarget(bean) instanceof Advised inner && isIntercepted(inner));
    }

    private List<Method> check(Class<?> type) {
        List<Method> known = annotated.get(type);
        if (known == null) {
            known = OnlyLeaderAdvisor.cannotBeIn(type) ? List.of() : find(type);
            annotated.put(type, known);
        }
        if (complete) {
            known.forEach(method -> interceptor.check(method, type));
        }
        return known;
    }

    private static List<Method> find(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (Method declared : declaredMethods(type)) {
            Method method = AopUtils.getMostSpecificMethod(declared, type);
            if (OnlyLeaderAdvisor.annotationOf(method, type) != null && isLeaderMethod(method, type)) {
                found.add(method);
            }
        }
        return found;
    }

    private static Method[] declaredMethods(Class<?> type) {
        try {
            return ReflectionUtils.getUniqueDeclaredMethods(type, ReflectionUtils.USER_DECLARED_METHODS);
        } catch (IllegalStateException failed) {
            // Spring wraps the error of a class that needs a missing one
            if (failed.getCause() instanceof LinkageError unreadable) {
                throw unreadable;
            }
            throw failed;
        }
    }

    private static boolean isLeaderMethod(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            if (AnnotatedElementUtils.hasAnnotation(method, OnlyLeader.class)) {
                throw notIntercepted(method, Modifier.isStatic(modifiers) ? "static" : "private");
            }
            return false;
        }
        if (Modifier.isFinal(modifiers)) {
            throw notIntercepted(method, "final");
        }
        boolean isPackagePrivate = !Modifier.isPublic(modifiers) && !Modifier.isProtected(modifiers);
        if (isPackagePrivate
                && !ClassUtils.getPackageName(method.getDeclaringClass()).equals(ClassUtils.getPackageName(type))) {
            throw notIntercepted(method, "visible only in another package than its bean's class");
        }
        return true;
    }

    private static IllegalStateException notIntercepted(Method method, String how) {
        return OnlyLeaderInterceptor.invalid(
                method,
                "is " + how + ": no proxy intercepts its calls, so it would run in every process",
                "make it a public method of a bean that can be overridden (in Kotlin: use the compiler plugin for Spring)");
    }

    private static Class<?> typeOf(Object bean) {
        return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
    }
}
