package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockContext;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.LockedClassInItsPackage;
import io.github.zklock.aop.method.AnnotatedMethodAdvisor;
import io.github.zklock.aop.method.InvalidAnnotationException;
import io.github.zklock.config.TestApplication;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.AopContext;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Lookup;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Attacks on the interception of annotated methods: in each, the method runs under its lock, or the start fails, or
 * the call.
 */
class ProxyAttackTest extends AopTest {

    interface Job {
        boolean runsUnlocked();
    }

    static class LockedJob implements Job {
        @Override
        @DistributedLock("/attack")
        public boolean runsUnlocked() {
            return LockContext.current().isEmpty();
        }
    }

    static class Wrapper implements Job {
        private final Job job;

        Wrapper(Job job) {
            this.job = job;
        }

        @Override
        public boolean runsUnlocked() {
            return job.runsUnlocked();
        }
    }

    private static Object wrapped(Object bean) {
        return bean instanceof Job job && !(bean instanceof Wrapper) ? new Wrapper(job) : bean;
    }

    private static Object jdkWrapped(Object bean) {
        return bean instanceof Job && !Proxy.isProxyClass(bean.getClass())
                ? Proxy.newProxyInstance(
                        Job.class.getClassLoader(),
                        new Class<?>[] {Job.class},
                        (proxy, method, args) -> method.invoke(bean, args))
                : bean;
    }

    static class WrapsBeforeInit implements BeanPostProcessor {
        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            return wrapped(bean);
        }
    }

    static class JdkWrapsBeforeInit implements BeanPostProcessor {
        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            return jdkWrapped(bean);
        }
    }

    static class WrapsBeforeProxies implements BeanPostProcessor, PriorityOrdered {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return wrapped(bean);
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    static class WrapsBeforeInitFirst implements BeanPostProcessor, PriorityOrdered {
        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            return wrapped(bean);
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    static class WrapsAfterProxies implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return wrapped(bean);
        }
    }

    static class InsteadOfInstantiation implements InstantiationAwareBeanPostProcessor {
        @Override
        public @Nullable Object postProcessBeforeInstantiation(Class<?> type, String name) {
            return type == LockedJob.class ? new LockedJob() : null;
        }
    }

    /** Takes the target out of the finished proxy. */
    static class Unwraps implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            Object target = AopProxyUtils.getSingletonTarget(bean);
            return bean instanceof Job && target != null ? target : bean;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OrderedRegistryPostProcessor {
        static class Needy implements BeanDefinitionRegistryPostProcessor, Ordered {
            @Override
            public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {}

            @Override
            public int getOrder() {
                return HIGHEST_PRECEDENCE;
            }
        }

        @Bean
        static Needy needy(Job job) {
            return new Needy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ASecondCreator {
        @Bean
        static BeanNameAutoProxyCreator byNames() {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setBeanNames("*ockedJob");
            creator.setExposeProxy(true);
            creator.setProxyTargetClass(false);
            return creator;
        }
    }

    static Stream<Named<Class<?>>> processors() {
        return Stream.of(
                        WrapsBeforeInit.class,
                        WrapsBeforeInitFirst.class,
                        JdkWrapsBeforeInit.class,
                        WrapsBeforeProxies.class,
                        WrapsAfterProxies.class,
                        InsteadOfInstantiation.class,
                        Unwraps.class,
                        OrderedRegistryPostProcessor.class,
                        ASecondCreator.class)
                .map(type -> Named.of(type.getSimpleName(), type));
    }

    @ParameterizedTest
    @MethodSource("processors")
    void noPostProcessorTakesTheLockAway(Class<?> processor) {
        for (String scope : new String[] {"singleton", "prototype"}) {
            assertThat(runsUnlocked(TestApplication.of(processor)
                            .withBean("lockedJob", LockedJob.class, LockedJob::new, each -> each.setScope(scope))))
                    .as(scope)
                    .isFalse();
        }
    }

    private static boolean runsUnlocked(TestApplication application) {
        return runsUnlocked(application, Job.class, Job::runsUnlocked);
    }

    private static <T> boolean runsUnlocked(TestApplication application, Class<T> type, Predicate<T> call) {
        boolean[] unlocked = new boolean[1];
        try {
            application.run(context -> unlocked[0] = call.test(context.getBean(type)));
        } catch (RuntimeException refused) {
            assertThat(NestedExceptionUtils.getMostSpecificCause(refused))
                    .isInstanceOf(InvalidAnnotationException.class);
        }
        return unlocked[0];
    }

    // methods of interfaces

    interface WithPrivateMethod {
        default boolean run() {
            return work();
        }

        @DistributedLock("/attack")
        private boolean work() {
            return LockContext.current().isEmpty();
        }
    }

    static class HasPrivateMethod implements WithPrivateMethod {}

    interface WithStaticMethod {
        @DistributedLock("/attack")
        static boolean work() {
            return LockContext.current().isEmpty();
        }
    }

    static class HasStaticMethod implements WithStaticMethod {
        public boolean run() {
            return WithStaticMethod.work();
        }
    }

    @Test
    void anAnnotatedPrivateMethodOfAnInterfaceIsRefused() {
        assertThatThrownBy(TestApplication.of(HasPrivateMethod.class)::start)
                .rootCause()
                .isInstanceOf(InvalidAnnotationException.class)
                .hasMessageContaining("is private");
    }

    @Test
    void anAnnotatedStaticMethodOfAnInterfaceIsRefused() {
        assertThatThrownBy(TestApplication.of(HasStaticMethod.class)::start)
                .rootCause()
                .isInstanceOf(InvalidAnnotationException.class)
                .hasMessageContaining("is static");
    }

    // methods of packages

    static class FromElsewhere extends LockedClassInItsPackage {}

    @Test
    void aMethodOfAnAnnotatedClassThatNoProxyCanOverrideIsLockedOrRefused() {
        assertThat(runsUnlocked(
                        TestApplication.of(FromElsewhere.class), FromElsewhere.class, LockedClassInItsPackage::callIt))
                .isFalse();
    }

    // bridges and generics

    static class HiddenBase {
        @DistributedLock("/attack")
        public boolean run() {
            return LockContext.current().isEmpty();
        }
    }

    public static class WithVisibilityBridge extends HiddenBase {}

    abstract static class GenericBase<T> {
        @DistributedLock("/attack/#{#value}")
        public boolean run(T value) {
            return LockContext.current().isEmpty();
        }
    }

    static class Overriding extends GenericBase<String> {
        @Override
        public boolean run(String value) {
            return LockContext.current().isEmpty();
        }
    }

    static class NotOverriding extends GenericBase<String> {}

    interface GenericPort<T> {
        @DistributedLock("/attack/#{#value}")
        boolean run(T value);
    }

    static class Unaware {
        public boolean run(String value) {
            return LockContext.current().isEmpty();
        }
    }

    static class OfUnaware extends Unaware implements GenericPort<String> {}

    interface Covariant {
        @DistributedLock("/attack")
        Object run();
    }

    static class OfCovariant implements Covariant {
        @Override
        public Boolean run() {
            return LockContext.current().isEmpty();
        }
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    @Test
    void bridgesAndGenericMethodsRunUnderTheirLocks() {
        for (Class<?> enabling :
                new Class<?>[] {TestApplication.ClassProxies.class, TestApplication.InterfaceProxies.class}) {
            assertThat(runsUnlocked(
                            TestApplication.of(WithVisibilityBridge.class).enabledBy(enabling),
                            WithVisibilityBridge.class,
                            WithVisibilityBridge::run))
                    .isFalse();
            assertThat(runsUnlocked(
                            TestApplication.of(WithVisibilityBridge.class).enabledBy(enabling),
                            HiddenBase.class,
                            HiddenBase::run))
                    .isFalse();
            assertThat(runsUnlocked(
                            TestApplication.of(Overriding.class).enabledBy(enabling),
                            GenericBase.class,
                            bean -> bean.run("1")))
                    .isFalse();
            assertThat(runsUnlocked(
                            TestApplication.of(Overriding.class).enabledBy(enabling),
                            Overriding.class,
                            bean -> bean.run("1")))
                    .isFalse();
            assertThat(runsUnlocked(
                            TestApplication.of(NotOverriding.class).enabledBy(enabling),
                            NotOverriding.class,
                            bean -> bean.run("1")))
                    .isFalse();
            assertThat(runsUnlocked(
                            TestApplication.of(OfUnaware.class).enabledBy(enabling),
                            GenericPort.class,
                            bean -> bean.run("1")))
                    .isFalse();
            assertThat(runsUnlocked(TestApplication.of(OfCovariant.class).enabledBy(enabling), Covariant.class, bean ->
                            (Boolean) bean.run()))
                    .isFalse();
        }
        assertThat(runsUnlocked(TestApplication.of(OfUnaware.class), Unaware.class, bean -> bean.run("1")))
                .isFalse();
        assertThat(runsUnlocked(TestApplication.of(OfCovariant.class), OfCovariant.class, OfCovariant::run))
                .isFalse();
    }

    // several interfaces

    @DistributedLock("/attack/debit")
    interface Debit {
        boolean book();
    }

    @DistributedLock("/attack/credit")
    interface Credit {
        boolean book();
    }

    @DistributedLock("/attack/other")
    interface Unrelated {
        boolean other();
    }

    static class Booking implements Debit, Credit {
        @Override
        public boolean book() {
            return LockContext.current().isEmpty();
        }
    }

    static class Derived extends Booking {}

    static class DebitOnly implements Unrelated, Debit {
        @Override
        public boolean book() {
            return !heldNow().equals(List.of("/attack/debit"));
        }

        @Override
        public boolean other() {
            return !heldNow().equals(List.of("/attack/other"));
        }
    }

    @Test
    void aMethodOfTwoAnnotatedInterfacesIsRefused() {
        for (Class<?> bean : new Class<?>[] {Booking.class, Derived.class}) {
            assertThatThrownBy(TestApplication.of(bean)::start)
                    .isInstanceOf(InvalidAnnotationException.class)
                    .hasMessageContaining("is declared differently on several methods or interfaces");
        }
        TestApplication.of(DebitOnly.class).run(context -> {
            assertThat(context.getBean(DebitOnly.class).book()).isFalse();
            assertThat(context.getBean(DebitOnly.class).other()).isFalse();
        });
    }

    // methods that the definition of a bean names

    static class Closing implements AutoCloseable {
        @Override
        @DistributedLock("/attack/close")
        public void close() {}
    }

    static class Shutting {
        @DistributedLock("/attack/shutdown")
        public void shutdown() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Initializes {
        @Bean(initMethod = "runsUnlocked")
        LockedJob job() {
            return new LockedJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Destroys {
        @Bean(destroyMethod = "runsUnlocked")
        LockedJob job() {
            return new LockedJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InfersShutdown {
        @Bean
        Shutting job() {
            return new Shutting();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeverShutsDown {
        @Bean(destroyMethod = "")
        Shutting job() {
            return new Shutting();
        }

        @Bean(destroyMethod = "")
        Closing closing() {
            return new Closing();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Initializes.class, Destroys.class, InfersShutdown.class, Closing.class})
    void aMethodThatSpringCallsBehindTheProxyIsRefused(Class<?> bean) {
        assertThatThrownBy(TestApplication.of(bean)::start)
                .rootCause()
                .isInstanceOf(InvalidAnnotationException.class)
                .hasMessageContaining("is called by Spring on the object behind the proxy");
    }

    @Test
    void aMethodThatSpringDoesNotCallBehindTheProxyIsLocked() {
        TestApplication.of(NeverShutsDown.class)
                .run(context -> assertThat(context.getBean(Shutting.class)).isInstanceOf(SpringProxy.class));
    }

    // lookups, providers and exposed proxies

    abstract static class WithLookup {
        @Lookup
        abstract LockedJob job();

        public boolean run() {
            return job().runsUnlocked();
        }
    }

    @Scope("prototype")
    static class PrototypeJob extends LockedJob {}

    abstract static class LockedWithLookup {
        @Lookup
        abstract PrototypeJob job();

        @DistributedLock("/attack/outer")
        public boolean run() {
            return LockContext.current().isEmpty() || job().runsUnlocked();
        }
    }

    @EnableAspectJAutoProxy(proxyTargetClass = true, exposeProxy = true)
    @Configuration(proxyBeanMethods = false)
    static class Exposed {}

    static class CallsItself {
        public boolean run() {
            return ((CallsItself) AopContext.currentProxy()).locked();
        }

        @DistributedLock("/attack")
        public boolean locked() {
            return LockContext.current().isEmpty();
        }

        @DistributedLock("/attack/outer")
        public boolean outer() {
            return ((CallsItself) AopContext.currentProxy()).locked()
                    || LockContext.current().size() != 1;
        }
    }

    @Test
    void lookupsProvidersAndExposedProxiesRunUnderTheirLocks() {
        assertThat(runsUnlocked(
                        TestApplication.of(WithLookup.class, LockedJob.class), WithLookup.class, WithLookup::run))
                .isFalse();
        assertThat(runsUnlocked(
                        TestApplication.of(LockedWithLookup.class, PrototypeJob.class),
                        LockedWithLookup.class,
                        LockedWithLookup::run))
                .isFalse();
        TestApplication.of(LockedJob.class).run(context -> {
            ObjectProvider<LockedJob> provider = context.getBeanProvider(LockedJob.class);
            assertThat(provider.getObject().runsUnlocked()).isFalse();
            assertThat(provider.stream().noneMatch(LockedJob::runsUnlocked)).isTrue();
        });
        TestApplication.of(Exposed.class, CallsItself.class)
                .run(context ->
                        assertThat(context.getBean(CallsItself.class).outer()).isFalse());
        TestApplication.of().run(context -> {
            LockedJob made = context.getAutowireCapableBeanFactory().createBean(LockedJob.class);
            assertThat(made.runsUnlocked()).isFalse();
        });
    }

    @Test
    void aProxyAroundTheProxyAcquiresItOnce() {
        TestApplication.of(LockedJob.class).run(context -> {
            Job job = context.getBean(Job.class);
            ProxyFactory outer = new ProxyFactory(job);
            outer.addAdvisor(context.getBean("zkLockAdvisor", AnnotatedMethodAdvisor.class));
            assertThat(((Job) outer.getProxy()).runsUnlocked()).isFalse();
            assertThat(LockContext.current()).isEmpty();
        });
    }
}
