package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.autoconfigure.internal.client.InstanceName;
import io.github.zklock.leadership.Leaderships;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/** Auto-configuration of the endpoint {@code zklocks}. */
@AutoConfiguration(
        after = ZkLockAutoConfiguration.class,
        afterName = "io.github.zklock.console.ZkLockConsoleAutoConfiguration")
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(LockRegistry.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
public final class ZkLockEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LocksEndpoint zkLocksEndpoint(
            ConfigurableListableBeanFactory beans,
            Environment environment,
            ObjectProvider<ZkLockProperties> properties,
            ObjectProvider<EndpointAccessResolver> access,
            ObjectProvider<LocksHistory> past) {
        return new LocksEndpoint(
                SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, LockRegistry.class),
                () -> Leaderships.of(beans),
                SingletonSupplier.of(() -> DeclaredJobs.of(beans))::obtain,
                Optional.ofNullable(properties.getIfAvailable())
                        .flatMap(bound -> InstanceName.of(bound.instanceId(), environment))
                        .orElseGet(InstanceName::ofHost),
                () -> access.stream().anyMatch(ZkLockEndpointAutoConfiguration::isUnrestricted),
                past.getIfAvailable());
    }

    /** Only the page of {@code zk-lock-console} reads the history. */
    @Bean
    @ConditionalOnBean(name = "zkLockConsoleEndpoint")
    LocksHistory zkLocksHistory(ConfigurableListableBeanFactory beans) {
        return new LocksHistory(
                SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, LockRegistry.class),
                () -> Leaderships.of(beans));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class, exposure = EndpointExposure.WEB)
    LocksWebExtension zkLocksWebExtension(LocksEndpoint endpoint) {
        return new LocksWebExtension(endpoint);
    }

    private static boolean isUnrestricted(EndpointAccessResolver access) {
        return access.accessFor(EndpointId.of(LocksEndpoint.ID), Access.READ_ONLY) == Access.UNRESTRICTED;
    }
}
