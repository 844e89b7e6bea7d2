package io.github.zklock.support;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Declares {@link CreatedBeans}, once for all configurations that import it. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class CreatedBeansConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CreatedBeans zkLockCreatedBeans() {
        return new CreatedBeans();
    }
}
