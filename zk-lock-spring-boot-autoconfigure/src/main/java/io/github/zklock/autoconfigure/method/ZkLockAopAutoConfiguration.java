package io.github.zklock.autoconfigure.method;

import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.aop.internal.advice.DistributedLockConfiguration;
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
 * Auto-configuration of {@link io.github.zklock.annotation.DistributedLock}. If {@code zk.lock.enabled} is false, it
 * stays active, so that no annotated method runs without its lock. It backs off if the application uses {@link
 * io.github.zklock.config.EnableDistributedLocks}, which has attributes for the order of the advisor and the kind of
 * proxies.
 */
@AutoConfiguration(after = AopAutoConfiguration.class)
@ConditionalOnClass(Advisor.class)
// only this context: advisors of a parent context do not advise its beans
@ConditionalOnMissingBean(value = AdviceSettings.class, search = SearchStrategy.CURRENT)
@EnableConfigurationProperties(ZkLockAsyncProperties.class)
@Import({ProxyCreatorRegistrar.class, DistributedLockConfiguration.class})
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class ZkLockAopAutoConfiguration {

    private static final String THREADS = "zk-lock-call-";

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AdviceSettings zkLockAdviceSettings() {
        return new AdviceSettings(AdviceSettings.DEFAULT_ORDER);
    }

    /**
     * The executor of asynchronous methods. It has no queue: a queued method would hold its lock, and methods that wait
     * for queued ones would wait forever. It decorates no tasks, because tasks arrive on threads of the registry. It is
     * not a default candidate, because Spring Boot would then configure no executor for the application.
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
        // set after the customizers of the application, which are meant for its own executor
        pool.setThreadNamePrefix(THREADS);
        pool.setCorePoolSize(0);
        pool.setMaxPoolSize(properties.concurrencyLimit());
        pool.setQueueCapacity(0);
        pool.setRejectedExecutionHandler(new ThreadPoolExecutor.AbortPolicy());
        pool.setTaskDecorator(task -> task);
        pool.setDaemon(true);
        return pool;
    }
}
