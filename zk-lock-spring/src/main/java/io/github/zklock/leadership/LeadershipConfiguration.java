package io.github.zklock.leadership;

import io.github.zklock.annotation.OnlyLeader;
import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.aop.method.AnnotatedMethodAdvisor;
import io.github.zklock.aop.method.AnnotatedMethods;
import io.github.zklock.aop.method.AnnotatedMethodsConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/**
 * Declares the beans that start and close the {@link io.github.zklock.Leadership} beans of a context, publish their
 * events, and implement {@link OnlyLeader}. An importing configuration provides a proxy creator.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(AnnotatedMethodsConfiguration.class)
public final class LeadershipConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeadershipLifecycle zkLockLeadershipLifecycle(ConfigurableApplicationContext context) {
        return new LeadershipLifecycle(context);
    }

    /** The advice of methods for the leader, directly outside the advice of locks. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AnnotatedMethodAdvisor zkLockOnlyLeaderAdvisor(
            ConfigurableListableBeanFactory beans, ObjectProvider<AdviceSettings> settings) {
        AdviceSettings configured = settings.getIfAvailable();
        int ofLocks = configured == null ? AdviceSettings.DEFAULT_ORDER : configured.order();
        AnnotatedMethods<OnlyLeader> methods = new AnnotatedMethods<>(OnlyLeader.class);
        return new AnnotatedMethodAdvisor(
                methods,
                new OnlyLeaderInterceptor(methods, beans),
                ofLocks == Integer.MIN_VALUE ? ofLocks : ofLocks - 1,
                "would run in every process");
    }
}
