package io.github.zklock.autoconfigure.actuate;

import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of what the access to the endpoint {@code zklocks} means for others that release locks. */
@AutoConfiguration(afterName = "org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration")
@ConditionalOnClass(EndpointAccessResolver.class)
@ConditionalOnBean(EndpointAccessResolver.class)
public final class ZkLockReleaseAccessAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(ReleaseAccess.class)
    EndpointAccess zkLockReleaseAccess(EndpointAccessResolver resolver) {
        return new EndpointAccess(resolver);
    }
}
