package io.github.zklock.boot3;

import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

// snippet:configuration
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LockSettings.class)
class LockConfiguration {

    @Bean(destroyMethod = "close")
    LockRegistry lockRegistry(LockSettings settings) {
        return ZooKeeperLockRegistry.builder()
                .connectString(settings.servers())
                .sessionTimeout(settings.sessionTimeout())
                .basePath(settings.basePath())
                .onClose(settings.onClose())
                .closeOnExit(false) // Spring closes the registry
                .build();
    }

    @Bean
    HealthIndicator locksHealthIndicator(LockRegistry locks) {
        return () -> (locks.inspector().session().connected() ? Health.up() : Health.down()).build();
    }
}
// end:configuration
