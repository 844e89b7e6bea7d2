package io.github.zklock.autoconfigure.embedded;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * A ZooKeeper server for development inside the application, or the one that another instance has started. Never on
 * unless {@code zk.lock.embedded.enabled} says so, not if connection details come from elsewhere, and not before a client
 * needs it.
 */
@AutoConfiguration(before = ZkLockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "zk.lock.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("zk.lock.embedded.enabled")
@ConditionalOnMissingBean(ZkLockConnectionDetails.class)
@EnableConfigurationProperties(ZkLockEmbeddedProperties.class)
public final class ZkLockEmbeddedAutoConfiguration {

    // lazy, both: an application with a client or a registry of its own needs no server
    @Lazy
    @Bean(destroyMethod = "close")
    EmbeddedZooKeeper zkLockEmbeddedZooKeeper(
            ZkLockEmbeddedProperties properties, Environment environment, ResourceLoader resources) {
        Prerequisites.check(environment, resources.getClassLoader());
        return EmbeddedZooKeeper.start(properties.port(), properties.dataDirectory());
    }

    @Lazy
    @Bean
    ZkLockConnectionDetails zkLockEmbeddedConnectionDetails(EmbeddedZooKeeper server) {
        return server::connectString;
    }
}
