package io.github.zklock.aop.method;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Declares the check of all annotated methods, once for all configurations that import it. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class AnnotatedMethodsConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CreatedBeans zkLockCreatedBeans() {
        return new CreatedBeans();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ReplacementCheck zkLockReplacementCheck(CreatedBeans created, ObjectProvider<InterceptionCheck> check) {
        return new ReplacementCheck(created, check);
    }

    @Bean(name = InterceptionCheck.NAME)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static InterceptionCheck zkLockInterceptionCheck(ConfigurableListableBeanFactory beans, CreatedBeans created) {
        return new InterceptionCheck(
                beans,
                created,
                beans.getBeansOfType(AnnotatedMethodAdvisor.class, true, false).values());
    }
}
