package io.github.zklock.docs.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockPolicy;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What {@code docs/guide/hand-off.md} shows. */
class HandOffGuideTest {

    @Test
    void eachLockMayHaveARuleOfItsOwn() throws Exception {
        try (EmbeddedZooKeeper server = new EmbeddedZooKeeper()) {
            String servers = server.connectString();
            // snippet:builder
            LockPolicy usual = LockPolicy.defaults(); // 1,024 turns or 50 ms
            LockPolicy fair = usual.handOff(HandOff.strict()).maxHold(Duration.ofMinutes(5));

            try (ZooKeeperLockRegistry locks = ZooKeeperLockRegistry.builder()
                    .connectString(servers)
                    .policy(name -> name.value().startsWith("/orders/") ? fair : usual)
                    .build()) {
                // end:builder
                try (LockHandle handle = locks.lock("/orders/7").acquire()) {
                    assertThat(handle.remaining()).isPositive();
                }
                // snippet:builder
            }
            // end:builder
        }
    }
}
