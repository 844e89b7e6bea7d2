package io.github.zklock.aop;

import io.github.zklock.LockName;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.support.MinimumHold;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of {@link io.github.zklock.annotation.DistributedLock}. It asks for no registry until an annotated
 * bean does, and stays where {@code zk.lock.enabled} is false: annotated methods never run without their lock.
 */
@AutoConfiguration(after = AopAutoConfiguration.class)
@ConditionalOnClass(Advisor.class)
@EnableConfigurationProperties(ZkLockAsyncProperties.class)
@Import(ProxyCreatorRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class ZkLockAopAutoConfiguration {

    /** Just outside transactions and caches. */
    private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1;

    private static final String THREADS = "zk-lock-call-";

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AnnotationLookup zkLockAnnotations() {
        return new AnnotationLookup();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedMethods zkLockMethods(AnnotationLookup annotations, ConfigurableListableBeanFactory beans) {
        return new LockedMethods(
                annotations,
                beans,
                new Surroundings(
                        lazily(beans.getBeanProvider(CallObserver.class), CallObserver.NONE),
                        lazily(beans.getBeanProvider(TransactionTie.class), TransactionTie.NONE),
                        // initialized where there is Reactor, with the first reactive call
                        SingletonSupplier.of(() -> beans.getBeanProvider(ReactiveTransactions.class)
                                .getIfAvailable(() -> ReactiveTransactions.NONE)),
                        lazily(beans.getBeanProvider(CallDefaults.class), new StandardDefaults()),
                        SingletonSupplier.of(() -> beans.getBean(MinimumHold.class)),
                        new CallThreads(beans)));
    }

    /**
     * Without a queue: a method in a queue would hold its lock, and methods that wait for queued ones would wait for ever.
     * It decorates no tasks, because it gets them on threads of the registry. No default candidate, because an application
     * with an executor of its own gets none from Spring Boot.
     */
    @Bean(name = CallThreads.BEAN_NAME, defaultCandidate = false)
    @ConditionalOnMissingBean(name = CallThreads.BEAN_NAME)
    static AsyncTaskExecutor zkLockTaskExecutor(
            ZkLockAsyncProperties properties,
            ObjectProvider<ThreadPoolTaskExecutorBuilder> pools,
            ObjectProvider<SimpleAsyncTaskExecutorBuilder> virtual,
            Environment environment) {
        if (Threading.VIRTUAL.isActive(environment)) {
            return virtual.getIfAvailable(() -> new SimpleAsyncTaskExecutorBuilder().virtualThreads(true))
                    .threadNamePrefix(THREADS)
                    .concurrencyLimit(properties.concurrencyLimit())
                    .rejectTasksWhenLimitReached(true)
                    .taskDecorator(task -> task)
                    .build();
        }
        ThreadPoolTaskExecutor pool = pools.getIfAvailable(ThreadPoolTaskExecutorBuilder::new)
                .threadNamePrefix(THREADS)
                .corePoolSize(0)
                .maxPoolSize(properties.concurrencyLimit())
                .queueCapacity(0)
                .taskDecorator(task -> task)
                .build();
        pool.setDaemon(true);
        return pool;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockAdvisor zkLockAdvisor(
            AnnotationLookup annotations, LockedMethods methods, Environment environment) {
        return new DistributedLockAdvisor(
                annotations,
                new DistributedLockInterceptor(methods),
                environment.getProperty("zk.lock.advisor-order", Integer.class, ORDER));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockCheck zkLockCheck(
            AnnotationLookup annotations,
            LockedMethods methods,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        return new DistributedLockCheck(annotations, methods, beans, new ProxyKind(proxiesAreClasses(environment)));
    }

    @Bean
    @ConditionalOnMissingBean
    static MinimumHold zkLockMinimumHold() {
        return new MinimumHold();
    }

    static boolean proxiesAreClasses(Environment environment) {
        return environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
    }

    /** Asked for with the first call: the advisor exists before most beans do. */
    private static <T> Supplier<T> lazily(ObjectProvider<T> provider, T otherwise) {
        return SingletonSupplier.of(() -> provider.getIfAvailable(() -> otherwise));
    }

    /** What applies where there are no properties. */
    private static final class StandardDefaults implements CallDefaults {

        private static final Defaults STANDARD =
                new Defaults(new WaitTime(Duration.ofSeconds(10)), OnBusy.THROW, OnLost.THROW_AFTER);

        @Override
        public Defaults of(LockName name) {
            return STANDARD;
        }

        @Override
        public Defaults general() {
            return STANDARD;
        }
    }
}
