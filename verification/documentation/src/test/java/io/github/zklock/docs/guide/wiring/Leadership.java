package io.github.zklock.docs.guide.wiring;

import io.github.zklock.integration.ZkLockIntegrationRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.store.MessageGroupStore;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Components of Spring Integration on the locks of zk-lock. */
@Configuration(proxyBeanMethods = false)
class Leadership {

    // snippet:beans
    @Bean
    LockRegistryLeaderInitiator leader(ZkLockIntegrationRegistry locks) {
        return new LockRegistryLeaderInitiator(locks, new DefaultCandidate("this-instance", "leadership"));
    }

    @Bean
    IntegrationFlow orders(ZkLockIntegrationRegistry locks, MessageGroupStore store) {
        return IntegrationFlow.from("orders")
                .aggregate(aggregator -> aggregator.lockRegistry(locks).messageStore(store))
                .channel("wholeOrders")
                .get();
    }
    // end:beans
}
