package io.github.zklock.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.test.EmbeddedZooKeeperExtension;
import io.github.zklock.test.LockRecording;
import io.github.zklock.test.autoconfigure.Shop.OrderStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The locks use the configured server, which the test class starts. */
@SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE, properties = "shop.patience=1m")
@AutoConfigureZkLock(server = LockServer.AS_CONFIGURED)
// the server ends with the test class
@DirtiesContext
class AsConfiguredTest {

    @RegisterExtension
    static final EmbeddedZooKeeperExtension zooKeeper = new EmbeddedZooKeeperExtension();

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry properties) {
        properties.add("zk.lock.connect-string", zooKeeper::connectString);
    }

    @Autowired
    private OrderStats stats;

    @Autowired
    private LockRecording recording;

    @Test
    void locksUseTheConfiguredServer() {
        stats.count();

        assertThat(recording.released()).containsExactly(Shop.STATS);
        assertThat(zooKeeper.server().sessions()).isEqualTo(1);
    }
}
