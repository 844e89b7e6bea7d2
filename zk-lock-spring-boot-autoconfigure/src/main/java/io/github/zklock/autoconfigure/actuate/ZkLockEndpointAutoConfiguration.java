package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the endpoint {@code zklocks}. */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(LockRegistry.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
public final class ZkLockEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LocksEndpoint zkLocksEndpoint(ConfigurableListableBeanFactory beans) {
        return new LocksEndpoint(SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, LockRegistry.class));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class, exposure = EndpointExposure.WEB)
    LocksWebExtension zkLocksWebExtension(LocksEndpoint endpoint) {
        return new LocksWebExtension(endpoint);
    }
}
