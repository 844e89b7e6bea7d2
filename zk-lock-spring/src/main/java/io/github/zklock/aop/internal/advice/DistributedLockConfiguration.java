package io.github.zklock.aop.internal.advice;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.aop.AdviceSettings;
import io.github.zklock.aop.internal.call.CallServices;
import io.github.zklock.aop.internal.declaration.DeclarationReader;
import io.github.zklock.aop.method.AnnotatedMethodAdvisor;
import io.github.zklock.aop.method.AnnotatedMethods;
import io.github.zklock.aop.method.AnnotatedMethodsConfiguration;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/**
 * Declares the beans that implement {@link DistributedLock}. An importing configuration provides {@link AdviceSettings}
 * and a proxy creator. Invariant: no bean of this class requests a {@code LockRegistry} until an
 * annotated bean needs one.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(AnnotatedMethodsConfiguration.class)
public final class DistributedLockConfiguration {

    /** The name of the bean that runs asynchronous methods. */
    public static final String TASK_EXECUTOR = CallServices.TASK_EXECUTOR;

    /**
     * The advice of locked methods. By default, it is directly outside transactions and caches, which have the lowest
     * precedence, and inside every advisor with an order of its own, such as method security.
     */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AnnotatedMethodAdvisor zkLockAdvisor(ConfigurableListableBeanFactory beans, AdviceSettings settings) {
        AnnotatedMethods<DistributedLock> methods = new AnnotatedMethods<>(DistributedLock.class);
        return new AnnotatedMethodAdvisor(
                methods,
                new DistributedLockInterceptor(new DeclarationReader(methods, beans), new CallServices(beans)),
                settings.order(),
                "would run without the lock");
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ValidationBeforeLocks zkLockValidationBeforeLocks() {
        return new ValidationBeforeLocks();
    }
}
