package io.github.zklock.docs.guide.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.test.EmbeddedZooKeeperExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** What {@code docs/testing.md} shows of a real server. */
@SpringBootTest
class RealServerTest {

    // snippet:server
    @RegisterExtension
    static final EmbeddedZooKeeperExtension zooKeeper = new EmbeddedZooKeeperExtension();

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry properties) {
        properties.add("zk.lock.connect-string", zooKeeper::connectString);
    }
    // end:server

    @Autowired
    LockRegistry locks;

    @Test
    void theLocksAreThoseOfTheServer() throws Exception {
        try (LockHandle handle = locks.lock("/order-stats").acquire()) {
            assertThat(handle.isHeld()).isTrue();
            assertThat(zooKeeper.server().sessions()).isPositive();
        }
    }
}
