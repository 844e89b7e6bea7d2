package io.github.zklock.leadership;

import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.support.CreatedBeans;
import io.github.zklock.support.CreatedBeansConfiguration;
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
 * events, and implement {@link io.github.zklock.annotation.OnlyLeader}. An importing configuration provides a proxy
 * creator.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(CreatedBeansConfiguration.class)
public final class LeadershipConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeadershipLifecycle zkLockLeadershipLifecycle(ConfigurableApplicationContext context) {
        return new LeadershipLifecycle(context);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnlyLeaderInterceptor zkLockOnlyLeaderInterceptor(ConfigurableListableBeanFactory beans) {
        return new OnlyLeaderInterceptor(beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnlyLeaderAdvisor zkLockOnlyLeaderAdvisor(
            OnlyLeaderInterceptor interceptor, ObjectProvider<AdviceSettings> settings) {
        AdviceSettings configured = settings.getIfAvailable();
        return new OnlyLeaderAdvisor(
                interceptor, configured == null ? AdviceSettings.DEFAULT_ORDER : configured.order());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OnlyLeaderCheck zkLockOnlyLeaderCheck(
            OnlyLeaderInterceptor interceptor, ConfigurableListableBeanFactory beans, CreatedBeans created) {
        return new OnlyLeaderCheck(interceptor, beans, created);
    }
}
