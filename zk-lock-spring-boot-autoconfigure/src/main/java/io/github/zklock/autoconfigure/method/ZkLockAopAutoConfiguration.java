package io.github.zklock.autoconfigure.method;

import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.aop.internal.advice.DistributedLockConfiguration;
import io.github.zklock.support.MinimumHold;
import java.util.concurrent.ThreadPoolExecutor;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Auto-configuration of {@link io.github.zklock.annotation.DistributedLock}. It stays active where {@code zk.lock.enabled}
 * is false, so that no annotated method runs without its lock. It backs off if the application has {@link
 * io.github.zklock.config.EnableDistributedLocks}.
 */
@AutoConfiguration(after = AopAutoConfiguration.class)
@ConditionalOnClass(Advisor.class)
// not those of a parent context, whose advisors advise no bean of this one
@ConditionalOnMissingBean(value = AdviceSettings.class, search = SearchStrategy.CURRENT)
@EnableConfigurationProperties(ZkLockAsyncProperties.class)
@Import({ProxyCreatorRegistrar.class, DistributedLockConfiguration.class})
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class ZkLockAopAutoConfiguration {

    private static final String THREADS = "zk-lock-call-";

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AdviceSettings zkLockAdviceSettings(Environment environment) {
        return new AdviceSettings(
                environment.getProperty("zk.lock.advisor-order", Integer.class, AdviceSettings.DEFAULT_ORDER),
                proxiesAreClasses(environment));
    }

    /**
     * Without a queue: a method in a queue would hold its lock, and methods that wait for queued ones would wait for ever.
     * It decorates no tasks, because it gets them on threads of the registry. No default candidate, because an application
     * with an executor of its own gets none from Spring Boot.
     */
    @Bean(name = DistributedLockConfiguration.TASK_EXECUTOR, defaultCandidate = false)
    @ConditionalOnMissingBean(name = DistributedLockConfiguration.TASK_EXECUTOR)
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
        ThreadPoolTaskExecutor pool =
                pools.getIfAvailable(ThreadPoolTaskExecutorBuilder::new).build();
        // after the customizers of the application, which are meant for its own executor
        pool.setThreadNamePrefix(THREADS);
        pool.setCorePoolSize(0);
        pool.setMaxPoolSize(properties.concurrencyLimit());
        pool.setQueueCapacity(0);
        pool.setRejectedExecutionHandler(new ThreadPoolExecutor.AbortPolicy());
        pool.setTaskDecorator(task -> task);
        pool.setDaemon(true);
        return pool;
    }

    @Bean
    @ConditionalOnMissingBean
    static MinimumHold zkLockMinimumHold() {
        return new MinimumHold();
    }

    static boolean proxiesAreClasses(Environment environment) {
        return environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
    }
}
