package io.github.zklock.autoconfigure.leadership;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.leadership.LeadershipConfiguration;
import org.springframework.aop.Advisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration of the leaderships of {@code zk.lock.leadership} and of {@link
 * io.github.zklock.annotation.OnlyLeader}. If {@code zk.lock.enabled} is false, the annotation stays active, so that no
 * annotated method runs in every process.
 */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnClass(Advisor.class)
@Import(LeadershipConfiguration.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class ZkLockLeadershipAutoConfiguration {

    /** The entries of the property. A child context, which inherits the property, uses the beans of its parent. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(NoLeadershipInParent.class)
    @Import(LeadershipRegistrar.class)
    static class Entries {}
}
