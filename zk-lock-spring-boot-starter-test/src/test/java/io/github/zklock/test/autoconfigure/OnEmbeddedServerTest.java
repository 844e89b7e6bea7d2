package io.github.zklock.test.autoconfigure;

import static io.github.zklock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockRegistry;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.test.LockRecording;
import io.github.zklock.test.autoconfigure.Shop.OrderStats;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

@SpringBootTest(
        classes = Shop.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {
            "shop.patience=1m",
            "zk.lock.connect-string=unreachable.invalid:2181",
            "zk.lock.session-timeout=1m"
        })
@AutoConfigureZkLock(server = LockServer.EMBEDDED, leftovers = LeftoverLocks.TAKE_AWAY)
class OnEmbeddedServerTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @Autowired
    private OrderStats stats;

    @Autowired
    private LockRegistry registry;

    @Autowired
    private EmbeddedZooKeeper server;

    @Autowired
    private LockRecording recording;

    @Test
    void locksUseTheServerOfTheContext() {
        stats.count();

        assertThat(registry).isInstanceOf(ZooKeeperLockRegistry.class);
        assertThat(recording.taken()).containsExactly(Shop.STATS);
        assertThat(recording.released()).containsExactly(Shop.STATS);
        assertThat(server.sessions()).isEqualTo(1);
    }

    @RepeatedTest(2)
    void leftoverLocksAreReleasedBeforeTheNextTest() throws Exception {
        assertThat(registry).holdsNothing();

        registry.lock("/left").acquire(LONG);

        assertThat(registry).holdsOnly("/left");
    }

    @RepeatedTest(2)
    void aServerThatIsSeveredIsHealedAfterItsTest() throws Exception {
        registry.lock("/x").acquire(LONG).close();

        server.sever();

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> registry.lock("/x").acquire(Duration.ofMillis(50)));
    }
}
