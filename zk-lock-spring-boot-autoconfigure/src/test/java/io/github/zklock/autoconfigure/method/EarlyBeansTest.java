package io.github.zklock.autoconfigure.method;

import static org.assertj.core.api.Assertions.assertThat;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * Beans that are created before all post-processors exist. Spring warns of such beans, because some post-processors do
 * not process them.
 */
@ExtendWith(OutputCaptureExtension.class)
class EarlyBeansTest {

    @Test
    void locksDoNotCauseEarlyCreationOfBeansThatAdviceNeeds(CapturedOutput output) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, ZkLockAopAutoConfiguration.class))
                .withUserConfiguration(Audit.class)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Trail.class));

        assertThat(output).doesNotContain("not eligible");
    }

    static final class Trail {}

    @Configuration(proxyBeanMethods = false)
    static class Audit {

        @Bean
        static Trail trail() {
            return new Trail();
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor audit(Trail trail) {
            return new DefaultPointcutAdvisor(
                    new NameMatchMethodPointcut(), (MethodInterceptor) MethodInvocation::proceed);
        }
    }
}
