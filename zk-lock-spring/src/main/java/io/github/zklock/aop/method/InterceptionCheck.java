package io.github.zklock.aop.method;

import io.github.zklock.aop.method.Interception.Gap;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Fails the start of an application in which an annotated method would run without its advice, or in which each of its
 * calls would fail. The check examines each bean with the proxies that were made for it: when the bean is created, when
 * it is exposed in a circular reference, and, if it is a singleton, when all of them exist. Annotations are validated
 * at the end, all at once, because a call of a method with an invalid one fails.
 *
 * <p>The check covers the beans of parent contexts and child contexts without a check of their own.
 *
 * <p>Not guaranteed: objects that the application creates itself, and calls of an object on itself.
 */
final class InterceptionCheck
        implements SmartInstantiationAwareBeanPostProcessor,
                SmartInitializingSingleton,
                ApplicationListener<ContextRefreshedEvent>,
                AopInfrastructureBean {

    static final String NAME = "zkLockInterceptionCheck";

    private static final Logger LOG = LoggerFactory.getLogger(InterceptionCheck.class);

    /** Annotations of methods that Spring calls on the object behind the proxy. */
    private static final Set<String> CALLBACKS = Set.of("PostConstruct", "PreDestroy", "Autowired", "Inject");

    private static final Gap TOO_EARLY = new Gap(
            "another bean required it too early",
            "do not let a BeanPostProcessor or a BeanFactoryPostProcessor depend on it");
    private static final Gap REGISTERED =
            new Gap("it was not created by Spring", "declare it as a bean instead of registering an object");
    private static final Gap INFRASTRUCTURE = new Gap(
            "Spring makes no proxies of aspects, advice and other infrastructure", "move the method to another bean");
    private static final Gap SYNTHETIC =
            new Gap("its definition is synthetic", "define it without AbstractBeanDefinition.setSynthetic");
    private static final Gap OTHER_CONTEXT = new Gap(
            "annotated methods are not enabled in its application context",
            "enable them in each context that defines such beans, for example with @EnableDistributedLocks");

    private final ConfigurableListableBeanFactory beans;
    private final CreatedBeans created;
    private final List<AnnotatedMethodAdvisor> advisors;
    /** All classes of beans with annotated methods. */
    private final Set<Class<?>> annotated = ConcurrentHashMap.newKeySet();
    /** The classes that have only methods that a proxy can intercept. */
    private final Set<Class<?>> interceptable = ConcurrentHashMap.newKeySet();
    /** The beans whose proxies were checked when they were exposed in a circular reference. */
    private final Set<String> exposedEarly = ConcurrentHashMap.newKeySet();

    /** Whether all singletons exist, and so all beans that annotations refer to. */
    private volatile boolean complete;

    InterceptionCheck(
            ConfigurableListableBeanFactory beans, CreatedBeans created, Collection<AnnotatedMethodAdvisor> advisors) {
        this.beans = beans;
        this.created = created;
        this.advisors = List.copyOf(advisors);
    }

    /**
     * Checks the class before its proxy is made, and before an initialization method runs: the failure to make a proxy of
     * a final class would not name the annotation.
     */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (!(bean instanceof SpringProxy)) {
            Class<?> type = typeOf(bean);
            List<InvalidAnnotationException> mistakes = ofClass(type);
            mistakes.addAll(ofCallbacks(name, type));
            rejectAtOnce(mistakes);
        }
        return bean;
    }

    /** Checks the proxy that other beans receive if the bean is part of a circular reference. */
    @Override
    public Object getEarlyBeanReference(Object bean, String name) {
        Class<?> type = typeOf(bean);
        if (hasAnnotatedMethods(type)) {
            List<InvalidAnnotationException> mistakes = ofProxy(bean, name, type, TOO_EARLY);
            mistakes.addAll(ofCircularReference(name, type));
            rejectAtOnce(mistakes);
            exposedEarly.add(name);
        }
        return bean;
    }

    /** Rejects a bean of the first class that was replaced by an object of the second one before its proxy was made. */
    void rejectReplacement(String name, Class<?> original, Class<?> present) {
        Gap replaced = new Gap(
                "a BeanPostProcessor replaced it by a " + present.getTypeName() + " before proxies are made",
                "let the BeanPostProcessor replace it in postProcessAfterInitialization, and do not make it"
                        + " PriorityOrdered");
        List<InvalidAnnotationException> mistakes = advisors.stream()
                .filter(advisor -> !advisor.methods.in(original).isEmpty()
                        && advisor.methods.in(present).isEmpty())
                .map(advisor -> unproxied(name, original, advisor, replaced))
                .collect(Collectors.toCollection(ArrayList::new));
        rejectAtOnce(mistakes);
    }

    /** Checks a bean with its proxy. Spring shows the product of a factory bean in this state only. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        // the caller of an original instance has requested an object without a proxy
        boolean isOriginal = name.endsWith(AutowireCapableBeanFactory.ORIGINAL_INSTANCE_SUFFIX);
        boolean isExposed = exposedEarly.remove(name) && !(bean instanceof SpringProxy);
        if (!isOriginal && !isExposed) {
            Class<?> type = typeOf(bean);
            List<InvalidAnnotationException> mistakes = ofClass(type);
            mistakes.addAll(ofProxy(bean, name, type, TOO_EARLY));
            rejectAtOnce(mistakes);
            if (complete) {
                reject(ofAnnotations(type));
            }
        }
        return bean;
    }

    /** Checks all beans that were created earlier than this check or are not processed, and validates all annotations. */
    @Override
    public void afterSingletonsInstantiated() {
        complete = true;
        List<InvalidAnnotationException> mistakes = ofSingletons(beans);
        created.withoutProxies().forEach((name, type) -> mistakes.addAll(ofUnproxied(name, type, TOO_EARLY)));
        mistakes.addAll(ofDefinitions(beans, AbstractBeanDefinition::isSynthetic, SYNTHETIC));
        BeanFactory above = beans.getParentBeanFactory();
        while (above instanceof ConfigurableListableBeanFactory parent && !parent.containsLocalBean(NAME)) {
            mistakes.addAll(ofSingletons(parent));
            mistakes.addAll(ofDefinitions(parent, definition -> true, OTHER_CONTEXT));
            above = parent.getParentBeanFactory();
        }
        annotated.forEach(type -> mistakes.addAll(ofAnnotations(type)));
        reject(mistakes);
    }

    /** Checks a child context without a check of its own. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (event.getApplicationContext() instanceof ConfigurableApplicationContext context
                && context.getBeanFactory() != beans
                && !context.getBeanFactory().containsLocalBean(NAME)) {
            ConfigurableListableBeanFactory child = context.getBeanFactory();
            List<InvalidAnnotationException> mistakes = ofSingletons(child);
            if (!CreatedBeans.canMakeProxies(child)) {
                mistakes.addAll(ofDefinitions(child, definition -> true, OTHER_CONTEXT));
            }
            reject(mistakes);
        }
    }

    /**
     * Rejects beans whose methods would run unguarded now, before all mistakes are known. Adds the mistakes of classes
     * that are defined, but not yet examined.
     */
    private void rejectAtOnce(List<InvalidAnnotationException> mistakes) {
        if (!mistakes.isEmpty()) {
            for (String name : beans.getBeanDefinitionNames()) {
                mistakes.addAll(ofDefinition(name, beans, this::ofClass));
            }
            reject(mistakes);
        }
    }

    private static void reject(List<InvalidAnnotationException> mistakes) {
        TreeMap<String, InvalidAnnotationException> distinct = new TreeMap<>();
        mistakes.forEach(each -> distinct.putIfAbsent(String.valueOf(each.getMessage()), each));
        if (!distinct.isEmpty()) {
            List<InvalidAnnotationException> all = new ArrayList<>(distinct.values());
            InvalidAnnotationException first = all.remove(0);
            all.forEach(first::addSuppressed);
            throw first;
        }
    }

    private List<InvalidAnnotationException> ofSingletons(ConfigurableListableBeanFactory factory) {
        List<InvalidAnnotationException> mistakes = new ArrayList<>();
        for (String name : factory.getSingletonNames()) {
            Object bean = factory.getSingleton(name);
            if (bean != null) {
                mistakes.addAll(ofSingleton(bean, name, factory));
            }
        }
        return mistakes;
    }

    private List<InvalidAnnotationException> ofSingleton(
            Object bean, String name, ConfigurableListableBeanFactory factory) {
        boolean defined = factory.containsBeanDefinition(name);
        Gap reason = factory != beans ? OTHER_CONTEXT : defined ? TOO_EARLY : REGISTERED;
        try {
            Class<?> type = typeOf(bean);
            if (factory == beans && defined && !created.contains(name) && isUnadvised(bean, type)) {
                LOG.debug("Bean '{}' is replaced by an object whose annotated methods run unguarded", name);
                return List.of();
            }
            List<InvalidAnnotationException> mistakes = ofClass(type);
            mistakes.addAll(ofProxy(bean, name, type, reason));
            return mistakes;
        } catch (IllegalStateException | LinkageError unreadable) {
            // the class of a registered object may refer to classes that are missing, which Spring has not loaded so
            // far
            if (defined) {
                throw unreadable;
            }
            LOG.debug("Bean '{}' cannot be searched for annotated methods", name, unreadable);
            return List.of();
        }
    }

    /** Checks the beans with such a definition that need not exist, by their types. */
    private List<InvalidAnnotationException> ofDefinitions(
            ConfigurableListableBeanFactory factory, Predicate<AbstractBeanDefinition> which, Gap reason) {
        List<InvalidAnnotationException> mistakes = new ArrayList<>();
        for (String name : factory.getBeanDefinitionNames()) {
            Object singleton = factory.containsSingleton(name) ? factory.getSingleton(name) : null;
            boolean isChecked = singleton != null && !(singleton instanceof FactoryBean<?>);
            if (!isChecked
                    && factory.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition
                    && !definition.isAbstract()
                    && which.test(definition)) {
                mistakes.addAll(ofDefinition(name, factory, type -> ofUnproxied(name, type, reason)));
            }
        }
        return mistakes;
    }

    /** Returns the mistakes of a bean that need not exist, by its type; none if its class cannot be read. */
    private static List<InvalidAnnotationException> ofDefinition(
            String name,
            ConfigurableListableBeanFactory factory,
            Function<Class<?>, List<InvalidAnnotationException>> mistakes) {
        try {
            Class<?> type = factory.getType(name, false);
            return type == null ? List.of() : mistakes.apply(ClassUtils.getUserClass(type));
        } catch (BeansException | IllegalStateException | LinkageError unreadable) {
            LOG.debug("The type of bean '{}' cannot be searched for annotated methods", name, unreadable);
            return List.of();
        }
    }

    /** Returns the methods of a class that no proxy can intercept, whatever its kind. */
    private List<InvalidAnnotationException> ofClass(Class<?> type) {
        List<InvalidAnnotationException> mistakes = new ArrayList<>();
        if (!interceptable.contains(type)) {
            for (AnnotatedMethodAdvisor advisor : advisors) {
                advisor.methods.declaredIn(type).forEach(method -> {
                    Gap gap = gapOf(method, type, advisor);
                    if (gap != null) {
                        mistakes.add(advisor.methods.place(method, type).invalid(gap.problem(), gap.remedy()));
                    }
                });
            }
            if (mistakes.isEmpty()) {
                interceptable.add(type);
            }
        }
        return mistakes;
    }

    private static @Nullable Gap gapOf(Method method, Class<?> type, AnnotatedMethodAdvisor advisor) {
        int modifiers = method.getModifiers();
        boolean isAnnotated = advisor.methods.isOnMethod(method);
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            return isAnnotated
                    ? new Gap(
                            "is " + (Modifier.isStatic(modifiers) ? "static" : "private")
                                    + ": no proxy intercepts its calls, so it " + advisor.unguarded,
                            "make it a public method of a bean")
                    : null;
        }
        if (advisor.methods.of(method, type).isEmpty()) {
            return null;
        }
        if (isAnnotated && isCallback(method, type)) {
            return callback(advisor);
        }
        boolean isFinal = Modifier.isFinal(modifiers) || Modifier.isFinal(type.getModifiers());
        return isFinal && !AnnotatedMethods.isDeclaredBy(ClassUtils.getAllInterfacesForClass(type), method, type)
                ? Interception.finalMethod(method, advisor)
                : null;
    }

    private static Gap callback(AnnotatedMethodAdvisor advisor) {
        return new Gap(
                "is called by Spring on the object behind the proxy, so it " + advisor.unguarded,
                "move the work to another method, and call that from an ApplicationRunner or a method with"
                        + " @EventListener(ContextRefreshedEvent.class) of another bean");
    }

    /** Returns the annotated methods that the definition of a bean names as its initialization or destruction. */
    private List<InvalidAnnotationException> ofCallbacks(String name, Class<?> type) {
        List<InvalidAnnotationException> mistakes = new ArrayList<>();
        if (!hasAnnotatedMethods(type) || !beans.containsBeanDefinition(name)) {
            return mistakes;
        }
        Set<String> called = callbacksOf(beans.getMergedBeanDefinition(name), type);
        for (AnnotatedMethodAdvisor advisor : advisors) {
            for (Method method : advisor.methods.in(type)) {
                if (called.contains(method.getName())
                        && method.getParameterCount() == 0
                        && advisor.methods.isOnMethod(method)) {
                    Gap gap = callback(advisor);
                    mistakes.add(advisor.methods.place(method, type).invalid(gap.problem(), gap.remedy()));
                }
            }
        }
        return mistakes;
    }

    private static Set<String> callbacksOf(BeanDefinition definition, Class<?> type) {
        Set<String> names = new HashSet<>();
        if (definition instanceof AbstractBeanDefinition own) {
            Stream.of(own.getInitMethodNames(), own.getDestroyMethodNames())
                    .flatMap(each -> each == null ? Stream.empty() : Stream.of(each))
                    .forEach(names::add);
        }
        boolean isInferred = names.remove(AbstractBeanDefinition.INFER_METHOD);
        if (isInferred || (AutoCloseable.class.isAssignableFrom(type) && definition.getDestroyMethodName() == null)) {
            // Spring calls the second one only if there is no other
            names.add("close");
            if (isInferred && !ClassUtils.hasMethod(type, "close")) {
                names.add("shutdown");
            }
        }
        return names;
    }

    private static boolean isCallback(Method method, Class<?> type) {
        return (InitializingBean.class.isAssignableFrom(type)
                        && method.getName().equals("afterPropertiesSet")
                        && method.getParameterCount() == 0)
                || (DisposableBean.class.isAssignableFrom(type)
                        && method.getName().equals("destroy")
                        && method.getParameterCount() == 0)
                || annotationsOf(method).anyMatch(CALLBACKS::contains);
    }

    /** Returns the simple names of the annotations of a method. */
    private static Stream<String> annotationsOf(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream()
                .map(annotation -> ClassUtils.getShortName(annotation.getType()));
    }

    private boolean hasAnnotatedMethods(Class<?> type) {
        return advisors.stream().anyMatch(advisor -> !advisor.methods.in(type).isEmpty());
    }

    private boolean isUnadvised(Object bean, Class<?> type) {
        return advisors.stream()
                .anyMatch(advisor ->
                        !advisor.methods.in(type).isEmpty() && !new Interception(advisor, areOpaque()).isAdvised(bean));
    }

    /** Returns the methods that the proxies of this bean do not intercept. */
    private List<InvalidAnnotationException> ofProxy(Object bean, String name, Class<?> type, Gap reason) {
        List<InvalidAnnotationException> mistakes = new ArrayList<>();
        for (AnnotatedMethodAdvisor advisor : advisors) {
            List<Method> methods = advisor.methods.in(type);
            if (methods.isEmpty()) {
                continue;
            }
            annotated.add(type);
            Interception interception = new Interception(advisor, areOpaque());
            if (!interception.isAdvised(bean)) {
                mistakes.add(unproxied(name, type, advisor, isInfrastructure(bean) ? INFRASTRUCTURE : reason));
                continue;
            }
            for (Method method : methods) {
                Gap gap = interception.gap(bean, method, type);
                if (gap != null) {
                    mistakes.add(advisor.methods.place(method, type).invalid(gap.problem(), gap.remedy()));
                }
            }
        }
        return mistakes;
    }

    private List<InvalidAnnotationException> ofUnproxied(String name, Class<?> type, Gap reason) {
        return advisors.stream()
                .filter(advisor -> !advisor.methods.in(type).isEmpty())
                .map(advisor -> unproxied(name, type, advisor, reason))
                .toList();
    }

    private static InvalidAnnotationException unproxied(
            String name, Class<?> type, AnnotatedMethodAdvisor advisor, Gap reason) {
        return advisor.methods
                .place(advisor.methods.in(type).get(0), type)
                .invalid(
                        advisor.unguarded + ": bean '" + name + "' has no proxy, because " + reason.problem(),
                        reason.remedy());
    }

    /**
     * Returns the methods that Spring schedules or that listen to messages. If their bean is part of a circular
     * reference, Spring gives the object without its proxy to the scheduler or to the container of the listener.
     */
    private List<InvalidAnnotationException> ofCircularReference(String name, Class<?> type) {
        List<InvalidAnnotationException> mistakes = new ArrayList<>();
        for (AnnotatedMethodAdvisor advisor : advisors) {
            for (Method method : advisor.methods.in(type)) {
                List<String> others = annotationsOf(method).toList();
                boolean isCalledBySpring = others.stream()
                        .anyMatch(each ->
                                each.equals("Scheduled") || each.endsWith("Listener") || each.endsWith("Handler"));
                if (isCalledBySpring && !others.contains("EventListener")) {
                    mistakes.add(advisor.methods
                            .place(method, type)
                            .invalid(
                                    advisor.unguarded + ": bean '" + name + "' is part of a circular reference, so that"
                                            + " Spring calls the object behind the proxy",
                                    "remove the circular reference, or mark one of its injection points as @Lazy"));
                }
            }
        }
        return mistakes;
    }

    private List<InvalidAnnotationException> ofAnnotations(Class<?> type) {
        List<InvalidAnnotationException> mistakes = new ArrayList<>();
        for (AnnotatedMethodAdvisor advisor : advisors) {
            for (Method method : advisor.methods.in(type)) {
                try {
                    advisor.methodAdvice.validate(method, type);
                } catch (InvalidAnnotationException mistake) {
                    mistakes.add(mistake);
                }
            }
        }
        return mistakes;
    }

    /** Returns whether the advice of the proxies that Spring makes cannot be read. */
    private boolean areOpaque() {
        return beans.containsSingleton(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                && beans.getSingleton(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig creator
                && creator.isOpaque();
    }

    private static boolean isInfrastructure(Object bean) {
        return bean instanceof AopInfrastructureBean
                || bean instanceof Advice
                || bean instanceof Advisor
                || bean instanceof Pointcut
                || MergedAnnotations.from(bean.getClass(), SearchStrategy.TYPE_HIERARCHY)
                        .isPresent("org.aspectj.lang.annotation.Aspect");
    }

    private static Class<?> typeOf(Object bean) {
        return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
    }
}
