package io.github.zklock.config;

import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

// snippet:configuration
@Configuration
@EnableDistributedLocks
class LocksConfiguration {

    @Bean(destroyMethod = "close")
    LockRegistry lockRegistry(@Value("${zookeeper.servers}") String servers) {
        return ZooKeeperLockRegistry.builder().connectString(servers).build();
    }
}
// end:configuration
