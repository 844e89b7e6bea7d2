package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.FencingToken;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The servers start again without their data, or with those of a backup. A client that has seen newer transactions is
 * not let in ({@code ZooKeeperServer.processConnectRequest}), until Curator gives up its session.
 */
class WipedEnsembleTest {

    private static final String NAME = "/wiped";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int GRANTS = 50;

    @RegisterExtension
    final RealServer real = new RealServer();

    @Test
    void aHeldLockIsLostAndTheProcessLocksAgainWithoutARestart() throws Exception {
        ZooKeeperLockRegistry registry = real.registry();
        for (int i = 0; i < GRANTS; i++) {
            registry.lock(NAME).acquire().close();
        }
        LockHandle before = registry.lock(NAME).acquire();
        FencingToken token = before.fencingToken();

        real.itself().startEmpty();

        RealServer.awaitUntil(() -> before.state() == LockState.LOST);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(before::close);
        try (LockHandle after = registry.lock(NAME).acquire(PATIENCE)) {
            assertThat(after.isHeld()).isTrue();
            assertThat(after.fencingToken()).as("tokens start low again").isLessThan(token);
        }
    }
}
