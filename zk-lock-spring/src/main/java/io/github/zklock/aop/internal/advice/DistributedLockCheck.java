package io.github.zklock.aop.internal.advice;

import io.github.zklock.aop.InvalidDistributedLockException;
import io.github.zklock.aop.internal.declaration.AnnotationLookup;
import io.github.zklock.aop.internal.declaration.Place;
import io.github.zklock.support.CreatedBeans;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
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
import org.springframework.aop.framework.ProxyProcessorSupport;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Fails the start of an application in which an annotated method would run without its lock, or in which each of its
 * calls would fail. It validates the methods of each bean when the bean is created, and then checks that the proxy of
 * the bean intercepts their calls.
 */
final class DistributedLockCheck implements BeanPostProcessor, SmartInitializingSingleton, AopInfrastructureBean {

    private static final Logger LOG = LoggerFactory.getLogger(DistributedLockCheck.class);

    private final AnnotationLookup annotations;
    private final DistributedLockInterceptor interceptor;
    private final ConfigurableListableBeanFactory beans;
    private final ProxyKind proxies;
    private final CreatedBeans created;
    /** The annotated methods of each class that was checked. */
    private final Map<Class<?>, List<Method>> annotated = new ConcurrentHashMap<>();

    DistributedLockCheck(
            AnnotationLookup annotations,
            DistributedLockInterceptor interceptor,
            ConfigurableListableBeanFactory beans,
            boolean classProxies,
            CreatedBeans created) {
        this.annotations = annotations;
        this.interceptor = interceptor;
        this.beans = beans;
        this.proxies = new ProxyKind(classProxies);
        this.created = created;
    }

    /**
     * Checks the class before its proxy is made: the proxy of an invalid class would fail with a message that does not
     * name the annotation.
     */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (!(bean instanceof SpringProxy)) {
            check(typeOf(bean));
        }
        return bean;
    }

    /** Checks the product of a factory bean with its proxy. Spring calls only this method for products. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof FactoryBean<?>)
                && !(bean instanceof AopInfrastructureBean)
                && beans.containsBeanDefinition(beanName)
                && beans.isFactoryBean(beanName)) {
            checkCreated(bean, beanName);
        }
        return bean;
    }

    /** Checks all singletons, including singletons that were created before this bean or registered as objects. */
    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getSingletonNames()) {
            Object bean = beans.getSingleton(name);
            if (bean != null) {
                if (beans.containsBeanDefinition(name)) {
                    checkCreated(bean, name);
                } else {
                    checkRegistered(bean, name);
                }
            }
        }
    }

    /**
     * Checks an object that was registered as a singleton. Its class may refer to classes that are missing, which
     * Spring has not loaded so far.
     */
    private void checkRegistered(Object bean, String name) {
        try {
            checkCreated(bean, name);
        } catch (InvalidDistributedLockException refused) {
            throw refused;
        } catch (IllegalStateException | LinkageError unreadable) {
            LOG.debug("Bean '{}' cannot be searched for annotated methods", name, unreadable);
        }
    }

    private void checkCreated(Object bean, String name) {
        List<Method> locked = check(typeOf(bean));
        if (!locked.isEmpty()) {
            checkProxy(bean, name, locked);
        }
    }

    private List<Method> check(Class<?> type) {
        List<Method> known = annotated.get(type);
        if (known == null) {
            known = AnnotationLookup.cannotBeIn(type) ? List.of() : find(type);
            annotated.put(type, known);
        }
        return known;
    }

    private List<Method> find(Class<?> type) {
        List<Method> found = AnnotationLookup.methodsOf(type).stream()
                .filter(method -> isLocked(method, type))
                .toList();
        if (!found.isEmpty()) {
            checkClass(type);
        }
        found.forEach(method -> interceptor.method(method, type));
        return found;
    }

    private boolean isLocked(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            if (!annotations.onMethod(method).isEmpty()) {
                throw Place.of(method, type)
                        .invalid(
                                "is " + (Modifier.isStatic(modifiers) ? "static" : "private")
                                        + ": no proxy intercepts its calls, so it would run without the lock",
                                "make it a public method of a bean");
            }
            return false;
        }
        if (annotations.of(method, type).isEmpty()) {
            return false;
        }
        if (isOfAnotherPackage(method, type) && proxies.areClassesFor(type)) {
            throw Place.of(method, type)
                    .invalid(
                            "is visible only in the package of "
                                    + method.getDeclaringClass().getSimpleName()
                                    + ", where its proxy is not, so it would run without the lock",
                            "make it public or protected");
        }
        if (Modifier.isFinal(modifiers) && proxies.areClassesFor(type)) {
            throw Place.of(method, type)
                    .invalid(
                            "is final: no proxy intercepts its calls, so it would run without the lock",
                            "make it open for extension (in Kotlin: use the compiler plugin for Spring)");
        }
        return true;
    }

    /**
     * Returns whether the annotated method is package-private in another package, so that a subclass cannot override
     * it.
     */
    private boolean isOfAnotherPackage(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        return !Modifier.isPublic(modifiers)
                && !Modifier.isProtected(modifiers)
                && !ClassUtils.getPackageName(method.getDeclaringClass()).equals(ClassUtils.getPackageName(type))
                && !annotations.onMethod(method).isEmpty();
    }

    private void checkClass(Class<?> type) {
        if (Modifier.isFinal(type.getModifiers()) && proxies.areClassesFor(type)) {
            throw new Place(type.getSimpleName())
                    .invalid(
                            "is on a final class, which cannot be proxied",
                            "make it open for extension (in Kotlin: use the compiler plugin for Spring)");
        }
    }

    private void checkProxy(Object bean, String name, List<Method> locked) {
        if (!hasInterceptor(bean)) {
            boolean defined = beans.containsBeanDefinition(name);
            if (defined && !created.contains(name)) {
                LOG.debug("Bean '{}' is replaced by an object that runs without the lock of {}", name, locked.get(0));
                return;
            }
            Place place = Place.of(locked.get(0), typeOf(bean));
            if (!defined) {
                throw place.invalid(
                        "would run without the lock: bean '" + name
                                + "' has no proxy, because it was not created by Spring",
                        "declare it as a bean instead of registering an object");
            }
            throw place.invalid(
                    "would run without the lock: bean '" + name
                            + "' has no proxy, because another bean required it too early",
                    "do not let a BeanPostProcessor or a BeanFactoryPostProcessor depend on it");
        }
        if (AopUtils.isJdkDynamicProxy(bean)) {
            locked.forEach(method -> checkExposed(bean, method));
        }
    }

    /**
     * Returns whether this proxy, or a proxy that it wraps, has the interceptor. If the advice of a proxy cannot be
     * inspected, the proxy is accepted.
     */
    private static boolean hasInterceptor(Object bean) {
        if (!(bean instanceof Advised advised)) {
            return bean instanceof SpringProxy;
        }
        if (Stream.of(advised.getAdvisors()).anyMatch(DistributedLockAdvisor.class::isInstance)) {
            return true;
        }
        Object target = AopProxyUtils.getSingletonTarget(bean);
        return target != null && hasInterceptor(target);
    }

    private void checkExposed(Object proxy, Method method) {
        if (!Modifier.isPublic(method.getModifiers())
                && annotations.onMethod(method).isEmpty()) {
            // the class has the annotation, and other beans cannot call this method
            return;
        }
        Class<?> type = typeOf(proxy);
        boolean exposed = Stream.of(proxy.getClass().getInterfaces())
                .flatMap(shown -> Stream.of(shown.getMethods()))
                .anyMatch(shown -> AnnotationLookup.isSame(shown, method, type));
        if (!exposed) {
            throw Place.of(method, type)
                    .invalid(
                            "is not declared by an interface, but the bean's proxy only implements interfaces",
                            "declare it in an interface, or set spring.aop.proxy-target-class=true");
        }
    }

    private static Class<?> typeOf(Object bean) {
        return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
    }

    /** The kind of proxy that a class gets, by the rules of Spring's proxy creators. */
    private static final class ProxyKind extends ProxyProcessorSupport {

        private static final long serialVersionUID = 1L;

        private final boolean preferClasses;

        ProxyKind(boolean preferClasses) {
            this.preferClasses = preferClasses;
        }

        /** Returns whether proxies of this class are subclasses, which cannot override its final methods. */
        boolean areClassesFor(Class<?> type) {
            if (Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type)) {
                return false;
            }
            return preferClasses
                    || Stream.of(ClassUtils.getAllInterfacesForClass(type))
                            .noneMatch(each -> !isConfigurationCallbackInterface(each)
                                    && !isInternalLanguageInterface(each)
                                    && each.getMethods().length > 0);
        }
    }
}
