package io.github.zklock.aop.internal.advice;

import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.aop.internal.call.CallServices;
import io.github.zklock.aop.internal.declaration.AnnotationLookup;
import io.github.zklock.aop.internal.declaration.DeclarationReader;
import io.github.zklock.support.CreatedBeans;
import io.github.zklock.support.CreatedBeansConfiguration;
import io.github.zklock.support.MinimumHold;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/**
 * Declares the beans that implement {@link io.github.zklock.annotation.DistributedLock}. An importing configuration
 * provides {@link AdviceSettings}, {@link MinimumHold} and a proxy creator. Invariant: no bean of this class requests a
 * {@code LockRegistry} until an annotated bean needs one.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(CreatedBeansConfiguration.class)
public final class DistributedLockConfiguration {

    /** The name of the bean that runs asynchronous methods. */
    public static final String TASK_EXECUTOR = CallServices.TASK_EXECUTOR;

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AnnotationLookup zkLockAnnotations() {
        return new AnnotationLookup();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockInterceptor zkLockInterceptor(
            AnnotationLookup annotations, ConfigurableListableBeanFactory beans) {
        return new DistributedLockInterceptor(new DeclarationReader(annotations, beans), new CallServices(beans));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockAdvisor zkLockAdvisor(
            AnnotationLookup annotations, DistributedLockInterceptor interceptor, AdviceSettings settings) {
        return new DistributedLockAdvisor(annotations, interceptor, settings.order());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockCheck zkLockCheck(
            AnnotationLookup annotations,
            DistributedLockInterceptor interceptor,
            ConfigurableListableBeanFactory beans,
            AdviceSettings settings,
            CreatedBeans created) {
        return new DistributedLockCheck(annotations, interceptor, beans, settings.classProxies(), created);
    }
}
