package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.zklock.Leadership;
import io.github.zklock.LockContext;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.LockedInItsPackage;
import io.github.zklock.annotation.OnlyLeader;
import io.github.zklock.aop.method.InvalidAnnotationException;
import io.github.zklock.config.EnableDistributedLocks;
import io.github.zklock.config.TestApplication;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.aspectj.lang.annotation.Aspect;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.HotSwappableTargetSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ProxyType;
import org.springframework.context.annotation.Proxyable;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/**
 * The ways in which Spring makes, replaces or skips the proxy of a bean. In each of them, an annotated method is
 * intercepted, or the application does not start, or the bean cannot be obtained.
 */
class InterceptionTest extends AopTest {

    private static final LockRegistry REGISTRY = TestApplication.registry();

    /** A bean whose method is to be called under a lock, or by the leader only. */
    interface Job {

        /** Returns whether the method runs without its lock, or although this process is not the leader. */
        boolean runsUnguarded();
    }

    interface Other {
        void other();
    }

    /** Needs a job, and the job may need it. */
    static class Partner {
        @Autowired
        @Nullable Job job;
    }

    abstract static class AnyJob implements Job, Other {

        @Autowired(required = false)
        @Nullable Partner partner;

        @Override
        public void other() {}

        static boolean isUnlocked() {
            return LockContext.current().isEmpty();
        }
    }

    static class LockedJob extends AnyJob {
        @Override
        @DistributedLock("/interception")
        public boolean runsUnguarded() {
            return isUnlocked();
        }
    }

    static class FinalLockedJob extends AnyJob {
        @Override
        @DistributedLock("/interception")
        public final boolean runsUnguarded() {
            return isUnlocked();
        }
    }

    @DistributedLock("/interception")
    static class JobOfALockedClass extends AnyJob {
        @Override
        public boolean runsUnguarded() {
            return isUnlocked();
        }
    }

    @DistributedLock("/interception")
    static class FinalJobOfALockedClass extends AnyJob {
        @Override
        public final boolean runsUnguarded() {
            return isUnlocked();
        }
    }

    static class LeaderJob extends AnyJob {
        @Override
        @OnlyLeader("/interception/leader")
        public boolean runsUnguarded() {
            return true;
        }
    }

    static class FinalLeaderJob extends AnyJob {
        @Override
        @OnlyLeader("/interception/leader")
        public final boolean runsUnguarded() {
            return true;
        }
    }

    static final List<Class<? extends Job>> JOBS = List.of(
            LockedJob.class,
            FinalLockedJob.class,
            JobOfALockedClass.class,
            FinalJobOfALockedClass.class,
            LeaderJob.class,
            FinalLeaderJob.class);

    private static TestApplication classProxies() {
        return application(TestApplication.ClassProxies.class);
    }

    private static TestApplication interfaceProxies() {
        return application(TestApplication.InterfaceProxies.class);
    }

    private static TestApplication application(Class<?> enabling) {
        return withRegistry(TestApplication.withoutRegistry().enabledBy(enabling))
                .withBean(Leadership.class, InterceptionTest::notLeading);
    }

    /** All applications have the same registry, which needs one connection. */
    private static TestApplication withRegistry(TestApplication application) {
        return application.withBean(
                "zkLockRegistry",
                LockRegistry.class,
                () -> REGISTRY,
                definition -> ((AbstractBeanDefinition) definition).setDestroyMethodName(""));
    }

    private static Leadership notLeading() {
        Leadership leadership = mock(Leadership.class);
        when(leadership.name()).thenReturn(LockName.of("/interception/leader"));
        return leadership;
    }

    private static Job newJob(Class<?> type) {
        try {
            return (Job) type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A way to make the bean of a job, and how its method is called. */
    record Way(String name, Start start) {

        @FunctionalInterface
        interface Start {
            /** Starts an application with a job of this class, and returns whether a call runs unguarded. */
            boolean runsUnguarded(Class<? extends Job> job) throws Exception;
        }

        static Way of(String name, UnaryOperator<TestApplication> application, Adding adding) {
            return new Way(name, job -> {
                boolean[] result = new boolean[1];
                adding.to(application.apply(interfaceProxies()), job)
                        .run(context -> result[0] = context.getBean(Job.class).runsUnguarded());
                return result[0];
            });
        }

        @FunctionalInterface
        interface Adding {
            TestApplication to(TestApplication application, Class<? extends Job> job);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static TestApplication defined(
            TestApplication application, Class<? extends Job> job, Consumer<RootBeanDefinition> with) {
        RootBeanDefinition definition = new RootBeanDefinition(job);
        with.accept(definition);
        return application.with(context -> context.registerBeanDefinition("job", definition));
    }

    // the kind of proxy is set by somebody else

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class TransactionsByClass {}

    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy(proxyTargetClass = true)
    static class AspectsByClass {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class AsyncByClass {}

    @Configuration(proxyBeanMethods = false)
    static class OpaqueProxies {
        @Bean
        static BeanFactoryPostProcessor opaque() {
            return factory -> factory.getBeanDefinition("org.springframework.aop.config.internalAutoProxyCreator")
                    .getPropertyValues()
                    .add("opaque", true);
        }
    }

    /** The class of the job, for configurations that create one. */
    record Jobs(Class<? extends Job> type) {
        Job create() {
            return newJob(type);
        }
    }

    private static Way configured(String name, boolean classProxies, Class<?>... configurations) {
        return Way.of(
                name,
                application -> classProxies ? classProxies() : application,
                (application, job) ->
                        application.withBean(Jobs.class, () -> new Jobs(job)).withBeans(configurations));
    }

    @Configuration(proxyBeanMethods = false)
    static class ByInterface {
        @Bean
        Job job(Jobs jobs) {
            return jobs.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxyableByClass {
        @Bean
        @Proxyable(ProxyType.TARGET_CLASS)
        Job job(Jobs jobs) {
            return jobs.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxyableByInterfaces {
        @Bean
        @Proxyable(ProxyType.INTERFACES)
        Job job(Jobs jobs) {
            return jobs.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxyableByAnotherInterface {
        @Bean
        @Proxyable(interfaces = Other.class)
        AnyJob job(Jobs jobs) {
            return (AnyJob) jobs.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ThreadScope {
        @Bean
        static CustomScopeConfigurer threads() {
            CustomScopeConfigurer scopes = new CustomScopeConfigurer();
            scopes.addScope("thread", new SimpleThreadScope());
            return scopes;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ThreadScope.class)
    static class ScopedByClass {
        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Job job(Jobs jobs) {
            return jobs.create();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ThreadScope.class)
    static class ScopedByInterfaces {
        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.INTERFACES)
        Job job(Jobs jobs) {
            return jobs.create();
        }
    }

    // beans that are created in another way

    @Configuration(proxyBeanMethods = false)
    static class Products {
        @Bean
        FactoryBean<Job> job(Jobs jobs) {
            return new FactoryBean<>() {
                @Override
                public Job getObject() {
                    return jobs.create();
                }

                @Override
                public Class<?> getObjectType() {
                    return Job.class;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypeProducts {
        @Bean
        FactoryBean<Job> job(Jobs jobs) {
            return new FactoryBean<>() {
                @Override
                public Job getObject() {
                    return jobs.create();
                }

                @Override
                public Class<?> getObjectType() {
                    return Job.class;
                }

                @Override
                public boolean isSingleton() {
                    return false;
                }
            };
        }
    }

    /** Returns the object that is given to it, so that a bean of its own delegates to an inner bean. */
    static class Holder {
        @Nullable Job job;

        public void setJob(Job job) {
            this.job = job;
        }

        boolean runsUnguarded() {
            return job != null && job.runsUnguarded();
        }
    }

    private static boolean runOfHolder(TestApplication application) {
        boolean[] result = new boolean[1];
        application.run(context -> result[0] = context.getBean(Holder.class).runsUnguarded());
        return result[0];
    }

    private static TestApplication withInnerBean(TestApplication application, Class<? extends Job> job) {
        RootBeanDefinition holder = new RootBeanDefinition(Holder.class);
        holder.getPropertyValues().add("job", new RootBeanDefinition(job));
        return application.with(context -> context.registerBeanDefinition("holder", holder));
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsHolderEarly {
        @Bean
        static BeanFactoryPostProcessor early(Holder holder) {
            return factory -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsJobEarly {
        static @Nullable Job early;

        @Bean
        static BeanFactoryPostProcessor early(Job job) {
            early = job;
            return factory -> {};
        }
    }

    private static Way earlyJob(String name, Way.Adding adding) {
        return new Way(name, job -> {
            boolean[] result = new boolean[1];
            adding.to(classProxies().withBeans(NeedsJobEarly.class), job)
                    .run(context -> result[0] = NeedsJobEarly.early != null && NeedsJobEarly.early.runsUnguarded());
            return result[0];
        });
    }

    // proxies that the application makes

    private static Job proxied(Job target, boolean byClass) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(byClass);
        return (Job) factory.getProxy();
    }

    private static TestApplication swappable(TestApplication application, Class<? extends Job> job) {
        RootBeanDefinition proxy = new RootBeanDefinition(ProxyFactoryBean.class);
        proxy.getPropertyValues().add("targetSource", new RuntimeBeanReference("source"));
        return application
                .withBean("source", HotSwappableTargetSource.class, () -> new HotSwappableTargetSource(newJob(job)))
                .with(context -> context.registerBeanDefinition("job", proxy));
    }

    private static TestApplication scopedDefinition(TestApplication application, Class<? extends Job> job) {
        RootBeanDefinition target = new RootBeanDefinition(job);
        target.setScope("thread");
        return application.withBeans(ThreadScope.class).with(context -> {
            BeanDefinitionHolder proxy =
                    ScopedProxyUtils.createScopedProxy(new BeanDefinitionHolder(target, "job"), context, false);
            context.registerBeanDefinition("job", proxy.getBeanDefinition());
        });
    }

    private static boolean hierarchy(TestApplication parent, TestApplication child) {
        boolean[] result = new boolean[1];
        parent.run(above -> child.with(context -> context.setParent(above))
                .run(context -> result[0] = context.getBean(Job.class).runsUnguarded()));
        return result[0];
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutLocks {}

    static Stream<Way> ways() {
        List<Way> ways = new ArrayList<>();
        UnaryOperator<TestApplication> same = application -> application;
        Way.Adding plain = (application, job) -> defined(application, job, definition -> {});
        ways.add(Way.of("proxies of interfaces", same, plain));
        ways.add(Way.of("proxies of classes", application -> classProxies(), plain));
        ways.add(Way.of(
                "proxies of classes by @EnableTransactionManagement",
                application -> application.withBeans(TransactionsByClass.class),
                plain));
        ways.add(Way.of(
                "proxies of classes by @EnableAspectJAutoProxy",
                application -> application.withBeans(AspectsByClass.class),
                plain));
        ways.add(Way.of(
                "proxies of classes by @EnableAsync", application -> application.withBeans(AsyncByClass.class), plain));
        ways.add(Way.of("opaque proxies", application -> application.withBeans(OpaqueProxies.class), plain));
        ways.add(Way.of(
                "opaque proxies of classes", application -> classProxies().withBeans(OpaqueProxies.class), plain));
        ways.add(configured("@Bean of an interface", false, ByInterface.class));
        ways.add(configured("@Bean of an interface, proxies of classes", true, ByInterface.class));
        ways.add(configured("@Proxyable(TARGET_CLASS)", false, ProxyableByClass.class));
        ways.add(configured("@Proxyable(INTERFACES)", true, ProxyableByInterfaces.class));
        ways.add(configured("@Proxyable of another interface", true, ProxyableByAnotherInterface.class));
        ways.add(configured("scoped proxy of the class", false, ScopedByClass.class));
        ways.add(configured("scoped proxy of the interfaces", false, ScopedByInterfaces.class));
        ways.add(configured("scoped proxy of the interfaces, proxies of classes", true, ScopedByInterfaces.class));
        ways.add(Way.of(
                "scoped proxy of a definition", application -> classProxies(), InterceptionTest::scopedDefinition));
        Way.Adding exposedEarly =
                (application, job) -> plain.to(application, job).withBeans(Partner.class);
        ways.add(Way.of("circular reference", same, exposedEarly));
        ways.add(Way.of("circular reference, proxies of classes", application -> classProxies(), exposedEarly));
        ways.add(Way.of(
                "circular reference from the other side",
                application -> classProxies().withBeans(Partner.class),
                plain));
        ways.add(configured("factory bean", false, Products.class));
        ways.add(configured("factory bean, proxies of classes", true, Products.class));
        ways.add(configured("factory bean of prototypes, proxies of classes", true, PrototypeProducts.class));
        ways.add(Way.of(
                "prototype",
                application -> classProxies(),
                (application, job) -> defined(application, job, definition -> definition.setScope("prototype"))));
        ways.add(Way.of(
                "lazy bean",
                application -> classProxies(),
                (application, job) -> defined(application, job, definition -> definition.setLazyInit(true))));
        ways.add(Way.of(
                "synthetic definition",
                application -> classProxies(),
                (application, job) -> defined(application, job, definition -> definition.setSynthetic(true))));
        ways.add(Way.of(
                "synthetic prototype",
                application -> classProxies(),
                (application, job) -> defined(application, job, definition -> {
                    definition.setSynthetic(true);
                    definition.setScope("prototype");
                })));
        ways.add(Way.of(
                "registered object",
                application -> classProxies(),
                (application, job) ->
                        application.with(context -> context.getBeanFactory().registerSingleton("job", newJob(job)))));
        ways.add(new Way("inner bean", job -> runOfHolder(withInnerBean(classProxies(), job))));
        ways.add(new Way(
                "inner bean that is needed too early",
                job -> runOfHolder(withInnerBean(classProxies().withBeans(NeedsHolderEarly.class), job))));
        ways.add(earlyJob("bean that is needed too early", plain));
        ways.add(earlyJob(
                "prototype that is needed too early",
                (application, job) -> defined(application, job, definition -> definition.setScope("prototype"))));
        ways.add(earlyJob(
                "product that is needed too early",
                (application, job) ->
                        application.withBean(Jobs.class, () -> new Jobs(job)).withBeans(Products.class)));
        ways.add(Way.of(
                "proxy of the application",
                same,
                (application, job) -> application.withBean("job", Job.class, () -> proxied(newJob(job), false))));
        ways.add(Way.of(
                "proxy of the application, of the class",
                same,
                (application, job) -> application.withBean("job", Job.class, () -> proxied(newJob(job), true))));
        ways.add(Way.of("exchangeable target", same, InterceptionTest::swappable));
        ways.add(Way.of("exchangeable target, proxies of classes", a -> classProxies(), InterceptionTest::swappable));
        ways.add(new Way(
                "locks enabled in a child context only",
                job -> hierarchy(
                        plain.to(application(WithoutLocks.class), job),
                        classProxies().withBeans(Partner.class))));
        ways.add(new Way(
                "locks enabled in a parent context only",
                job -> hierarchy(
                        classProxies(),
                        plain.to(TestApplication.withoutRegistry().enabledBy(WithoutLocks.class), job))));
        return ways.stream();
    }

    static Stream<Arguments> waysAndJobs() {
        return ways().flatMap(way -> JOBS.stream().map(job -> Arguments.of(way, job.getSimpleName(), job)));
    }

    /** The ways in which no proxy with the advice exists, or does not show the method. */
    private static final Set<String> REFUSED = Set.of(
            "@Proxyable of another interface",
            "synthetic definition",
            "synthetic prototype",
            "registered object",
            "inner bean that is needed too early",
            "bean that is needed too early",
            "prototype that is needed too early",
            "product that is needed too early",
            "proxy of the application",
            "exchangeable target",
            "exchangeable target, proxies of classes",
            "locks enabled in a child context only",
            "locks enabled in a parent context only");

    /** The ways in which calls arrive through an interface, so that the proxy intercepts final methods too. */
    private static final Set<String> INTERCEPTED = Set.of(
            "proxies of interfaces",
            "proxies of classes by @EnableAsync",
            "opaque proxies",
            "@Bean of an interface",
            "@Proxyable(INTERFACES)",
            "scoped proxy of the interfaces",
            "circular reference",
            "factory bean",
            "proxy of the application, of the class");

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("waysAndJobs")
    void anAnnotatedMethodIsInterceptedOrRefused(Way way, String name, Class<? extends Job> job) throws Exception {
        boolean isIntercepted =
                INTERCEPTED.contains(way.name()) || (!REFUSED.contains(way.name()) && !name.startsWith("Final"));

        boolean unguarded = false;
        List<String> mistakes = List.of();
        try {
            unguarded = way.start().runsUnguarded(job);
        } catch (RuntimeException failure) {
            mistakes = mistakesOf(failure);
            assertThat(mistakes).isNotEmpty();
        }

        assertThat(unguarded).isFalse();
        assertThat(mistakes.isEmpty()).isEqualTo(isIntercepted);
    }

    // classes of which no proxy can be made, and methods that no proxy can intercept

    static class PrivateMethods {
        @DistributedLock("/interception")
        @SuppressWarnings("UnusedMethod")
        private void locked() {}

        @OnlyLeader("/interception/leader")
        @SuppressWarnings("UnusedMethod")
        private void led() {}
    }

    static class StaticMethods {
        @DistributedLock("/interception")
        public static void locked() {}

        @OnlyLeader("/interception/leader")
        public static void led() {}
    }

    static final class FinalClass {
        @DistributedLock("/interception")
        public void locked() {}

        @OnlyLeader("/interception/leader")
        public void led() {}
    }

    static class PackageOfAnother extends LockedInItsPackage {}

    static class InitializingMethods implements InitializingBean, DisposableBean {
        @Override
        @DistributedLock("/interception")
        public void afterPropertiesSet() {}

        @Override
        @OnlyLeader("/interception/leader")
        public void destroy() {}
    }

    static class InjectedMethods {
        @Autowired
        @DistributedLock("/interception")
        public void locked(BeanFactory beans) {}

        @Autowired
        @OnlyLeader("/interception/leader")
        public void led(BeanFactory beans) {}
    }

    @Aspect
    static class AnAspect {
        @DistributedLock("/interception")
        public void locked() {}

        @OnlyLeader("/interception/leader")
        public void led() {}
    }

    static class Advising implements MethodInterceptor {
        @Override
        @DistributedLock("/interception")
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            return invocation.proceed();
        }

        @OnlyLeader("/interception/leader")
        public void led() {}
    }

    static class OfSpring implements AopInfrastructureBean {
        @DistributedLock("/interception")
        public void locked() {}

        @OnlyLeader("/interception/leader")
        public void led() {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                PrivateMethods.class,
                StaticMethods.class,
                FinalClass.class,
                PackageOfAnother.class,
                InitializingMethods.class,
                InjectedMethods.class,
                AnAspect.class,
                Advising.class,
                OfSpring.class
            })
    void aMethodThatNoProxyCanInterceptIsRefused(Class<?> bean) {
        for (TestApplication application : List.of(classProxies(), interfaceProxies())) {
            Throwable failure = catchThrowable(application.withBeans(bean, AspectsByClass.class)::start);

            assertThat(mistakesOf(failure))
                    .hasSize(2)
                    .anyMatch(mistake -> mistake.startsWith("@DistributedLock on " + bean.getName()))
                    .anyMatch(mistake -> mistake.startsWith("@OnlyLeader on " + bean.getName()));
        }
    }

    // configuration classes

    @Configuration
    static class LockedConfiguration {
        @Bean
        @DistributedLock("/interception")
        public Boolean unguarded() {
            return LockContext.current().isEmpty();
        }
    }

    @Configuration
    static class FinalMethodOfAConfiguration {
        @DistributedLock("/interception")
        public final boolean isUnguarded() {
            return true;
        }
    }

    @Configuration
    static class StaticMethodOfAConfiguration {
        @Bean
        @DistributedLock("/interception")
        public static Boolean unguarded() {
            return LockContext.current().isEmpty();
        }
    }

    @Test
    void methodsOfConfigurationsAreInterceptedOrRefused() {
        classProxies()
                .withBeans(LockedConfiguration.class)
                .run(context -> assertThat(context.getBean(Boolean.class)).isFalse());
        for (Class<?> refused : List.of(FinalMethodOfAConfiguration.class, StaticMethodOfAConfiguration.class)) {
            assertThat(mistakesOf(catchThrowable(classProxies().withBeans(refused)::start)))
                    .singleElement()
                    .asString()
                    .startsWith("@DistributedLock on " + refused.getName());
        }
    }

    // methods that Spring calls on the object that it has processed

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class ScheduledJob {

        static final List<Boolean> UNGUARDED = new CopyOnWriteArrayList<>();

        @Autowired(required = false)
        @Nullable ScheduledPartner partner;

        @Scheduled(fixedDelay = 1)
        @DistributedLock("/interception/scheduled")
        public void run() {
            UNGUARDED.add(LockContext.current().isEmpty());
        }
    }

    static class ScheduledPartner {
        @Autowired
        @Nullable ScheduledJob job;
    }

    @Test
    void aScheduledMethodIsIntercepted() {
        ScheduledJob.UNGUARDED.clear();

        classProxies()
                .withBeans(Scheduling.class, ScheduledJob.class)
                .run(context -> Awaitility.await().until(() -> !ScheduledJob.UNGUARDED.isEmpty()));

        assertThat(ScheduledJob.UNGUARDED).containsOnly(false);
    }

    @Test
    void aScheduledMethodOfACircularReferenceIsRefused() {
        assertThat(mistakesOf(catchThrowable(() -> classProxies()
                        .withBeans(Scheduling.class, ScheduledJob.class, ScheduledPartner.class)
                        .start()
                        .close())))
                .singleElement()
                .asString()
                .contains("ScheduledJob.run() would run without the lock")
                .contains("part of a circular reference");
    }

    // objects that tests put in the place of beans

    @Configuration(proxyBeanMethods = false)
    @EnableDistributedLocks(proxyTargetClass = true)
    static class Tested {
        @Bean
        LockRegistry registry() {
            return mock(LockRegistry.class);
        }

        @Bean
        LockedJob job() {
            return new LockedJob();
        }
    }

    @ContextConfiguration(classes = Tested.class)
    static class Mocking {
        @MockitoBean
        LockedJob job;
    }

    @ContextConfiguration(classes = Tested.class)
    static class Spying {
        @MockitoSpyBean
        LockedJob job;

        @Autowired
        Job bean;
    }

    @Test
    void aMockNeedsNoProxyAndASpyIsBehindOne() throws Exception {
        Mocking mocking = new Mocking();
        Spying spying = new Spying();

        new TestContextManager(Mocking.class).prepareTestInstance(mocking);
        new TestContextManager(Spying.class).prepareTestInstance(spying);

        assertThat(Mockito.mockingDetails(mocking.job).isMock()).isTrue();
        assertThat(mocking.job.runsUnguarded()).isFalse();
        assertThat(AopUtils.isAopProxy(spying.bean)).isTrue();
        // the registry is a mock, so that the lock cannot be acquired
        assertThatThrownBy(spying.bean::runsUnguarded).isInstanceOf(NullPointerException.class);
        verify(spying.job, never()).runsUnguarded();
    }

    /** Returns the messages of all mistakes that a failed start reports. */
    private static List<String> mistakesOf(Throwable failure) {
        Throwable mistake = failure;
        while (mistake != null && !(mistake instanceof InvalidAnnotationException)) {
            mistake = mistake.getCause();
        }
        return mistake == null
                ? List.of()
                : Stream.concat(Stream.of(mistake), Stream.of(mistake.getSuppressed()))
                        .map(Throwable::getMessage)
                        .toList();
    }
}
