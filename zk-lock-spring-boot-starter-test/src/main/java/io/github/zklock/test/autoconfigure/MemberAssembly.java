package io.github.zklock.test.autoconfigure;

import io.github.zklock.DeadlockReaction;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Creates the processes of a cluster in memory, with the limits and rules that {@code zk.lock.*} sets for production.
 */
final class MemberAssembly {

    private MemberAssembly() {}

    static InMemoryLockRegistry join(
            InMemoryLockCluster cluster, ZkLockProperties properties, Environment environment) {
        InMemoryLockRegistry.Builder builder = InMemoryLockRegistry.builder()
                .cluster(cluster)
                .sessionTimeout(properties.sessionTimeout())
                .policy(properties.lockPolicies())
                .onClose(properties.onClose());
        if (properties.instanceId() != null) {
            builder.instance(properties.instanceId());
        }
        // unless set, use the shorter default of servers in memory: a simulated outage is then reported within half a
        // second
        Binder.get(environment)
                .bind("zk.lock.connection-timeout", Duration.class)
                .ifBound(builder::connectionTimeout);
        // unless set, tests report contradictory orders, which production does not observe
        Binder.get(environment)
                .bind("zk.lock.lock-order", DeadlockReaction.class)
                .ifBound(builder::lockOrder);
        Binder.get(environment)
                .bind("zk.lock.on-deadlock", DeadlockReaction.class)
                .ifBound(builder::onDeadlock);
        return builder.build();
    }
}
