package io.github.zklock.autoconfigure.method;

import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.aop.DistributedLockConfiguration;
import io.github.zklock.support.MinimumHold;
import java.util.concurrent.Executor;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Auto-configuration of {@link io.github.zklock.annotation.DistributedLock}. It stays active where {@code zk.lock.enabled}
 * is false, so that no annotated method runs without its lock.
 */
@AutoConfiguration(after = AopAutoConfiguration.class)
@ConditionalOnClass(Advisor.class)
@Import({ProxyCreatorRegistrar.class, DistributedLockConfiguration.class})
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class ZkLockAopAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AdviceSettings zkLockAdviceSettings(Environment environment) {
        return new AdviceSettings(
                environment.getProperty("zk.lock.advisor-order", Integer.class, AdviceSettings.DEFAULT_ORDER),
                proxiesAreClasses(environment));
    }

    /**
     * A thread for each call, so that one may block and wait for another: there are no more of them than locks held. Not
     * a default candidate, or an application would get no executor from Spring Boot.
     */
    @Bean(name = DistributedLockConfiguration.TASK_EXECUTOR, defaultCandidate = false)
    @ConditionalOnMissingBean(name = DistributedLockConfiguration.TASK_EXECUTOR)
    static Executor zkLockTaskExecutor(Environment environment) {
        SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("zk-lock-call-");
        threads.setDaemon(true);
        threads.setVirtualThreads(Threading.VIRTUAL.isActive(environment));
        return threads;
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
