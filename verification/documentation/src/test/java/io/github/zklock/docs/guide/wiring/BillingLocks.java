package io.github.zklock.docs.guide.wiring;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A second ensemble, for what belongs to the billing. */
@Configuration(proxyBeanMethods = false)
class BillingLocks {

    // snippet:bean
    @Bean(defaultCandidate = false, destroyMethod = "close")
    ZooKeeperLockRegistry billingLocks() {
        return ZooKeeperLockRegistry.builder()
                .connectString("billing-zk:2181")
                .closeOnExit(false)
                .build();
    }
    // end:bean

    static class Invoices {

        // snippet:method
        @DistributedLock(value = "/invoices/#{#id}", registry = "billingLocks")
        public String number(long id) {
            return "2026/" + id;
        }
        // end:method
    }
}
