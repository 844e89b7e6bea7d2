package io.github.zklock.docs.migration;

import io.github.zklock.LockRegistry;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/** Registries of Spring Integration: the one to leave, and the one on the same nodes. */
final class IntegrationLocks {

    private IntegrationLocks() {}

    static final class Before {

        @Bean
        ZookeeperLockRegistry lockRegistry(CuratorFramework client) {
            return new ZookeeperLockRegistry(client); // below /SpringIntegration-LockRegistry
        }
    }

    static final class After {

        // snippet:same-nodes
        // zk.lock.base-path=/SpringIntegration-LockRegistry
        @Bean
        org.springframework.integration.support.locks.LockRegistry<Lock> lockRegistry(LockRegistry locks) {
            return key -> locks.lock((String) key);
        }
        // end:same-nodes
    }
}
