package io.github.zklock.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import io.github.zklock.test.LockAssertions;
import io.github.zklock.test.autoconfigure.Shop.OrderStats;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;

/** A test without {@link AutoConfigureZkLock} and without configured servers. */
@SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE, properties = "shop.patience=1m")
class ServerPerContextTest {

    @Autowired
    private OrderStats stats;

    @Autowired
    private LockRegistry registry;

    @Test
    void locksUseAServerThatNoOtherProcessFinds(
            @Autowired Environment environment, @Autowired ZkLockConnectionDetails details) {
        assertThat(stats.count()).isEqualTo(1);

        LockAssertions.assertThat(registry).isConnected();
        assertThat(environment.getProperty("zk.lock.embedded.port")).isEqualTo("0");
        assertThat(details.getConnectString()).doesNotEndWith(":21810");
    }
}
