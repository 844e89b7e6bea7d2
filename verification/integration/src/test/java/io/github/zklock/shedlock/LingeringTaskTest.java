package io.github.zklock.shedlock;

import static org.awaitility.Awaitility.await;

import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistry;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

/** A task whose lock lingers in another process runs all the same. (L30) */
class LingeringTaskTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration LINGER = Duration.ofMinutes(10);

    private final MinimumHold minimumHold = new MinimumHold();

    @Test
    void aTaskIsNotSkippedWhileItsLockOnlyLingersElsewhere() {
        try (LocalZooKeeper server = new LocalZooKeeper();
                ZooKeeperLockRegistry here = registry(server);
                ZooKeeperLockRegistry there = registry(server)) {
            provider(here).lock(report()).orElseThrow().unlock();

            // the release may still be under way when the first try asks
            SimpleLock lock = await().atMost(LONG)
                    .until(() -> provider(there).lock(report()), Optional::isPresent)
                    .orElseThrow();

            lock.unlock();
            minimumHold.stop();
        }
    }

    private ZkLockProvider provider(LockRegistry registry) {
        return new ZkLockProvider(registry, minimumHold, "/shedlock");
    }

    private static LockConfiguration report() {
        return new LockConfiguration(Instant.now(), "report", LONG, Duration.ZERO);
    }

    private static ZooKeeperLockRegistry registry(LocalZooKeeper server) {
        return ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .handOff(LockPolicy.defaults().handOff().lingering(LINGER))
                .build();
    }
}
