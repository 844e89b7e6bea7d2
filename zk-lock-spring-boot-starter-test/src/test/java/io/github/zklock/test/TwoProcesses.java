package io.github.zklock.test;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;

/** Two processes of one cluster in memory. */
abstract class TwoProcesses {

    static final String NAME = "/order-stats";
    static final Duration LONG = Duration.ofMinutes(1);
    static final Duration SHORT = Duration.ofMillis(100);

    final InMemoryLockCluster cluster = new InMemoryLockCluster();
    final InMemoryLockRegistry here = join(LONG);
    final InMemoryLockRegistry there = join(LONG);

    @AfterEach
    final void close() {
        cluster.close();
    }

    final InMemoryLockRegistry join(Duration sessionTimeout) {
        return InMemoryLockRegistry.builder()
                .cluster(cluster)
                .sessionTimeout(sessionTimeout)
                .connectionTimeout(Duration.ofSeconds(2))
                .build();
    }

    static ConditionFactory await() {
        return Awaitility.await().atMost(LONG).pollInterval(Duration.ofMillis(2));
    }
}
