package io.github.zklock.test.autoconfigure;

import static io.github.zklock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import io.github.zklock.test.LockRecording;
import io.github.zklock.test.autoconfigure.Shop.OrderStats;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

@SpringBootTest(
        classes = Shop.class,
        webEnvironment = WebEnvironment.NONE,
        properties = "zk.lock.connection-timeout=1s")
@AutoConfigureZkLock
class AutoConfigureZkLockTest {

    @Autowired
    private OrderStats stats;

    @Autowired
    private LockRegistry registry;

    @Autowired
    private InMemoryLockRegistry process;

    @Autowired
    private InMemoryLockCluster cluster;

    @Autowired
    private LockRecording recording;

    @Autowired
    private ConfigurableListableBeanFactory beans;

    @Test
    void theRegistryIsInMemoryAndJoinsTheClusterOfTheContext() throws Exception {
        assertThat(registry).isSameAs(process);
        assertThat(beans.getBean("zkLockRegistry")).isSameAs(process);
        try (LockHandle elsewhere = cluster.join().lock(Shop.STATS).acquire()) {
            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(stats::countAtOnce);
            assertThat(elsewhere).isHeld();
        }
    }

    @Test
    void noZooKeeperClientIsCreated() {
        for (String name : beans.getBeanNamesForType(CuratorFramework.class, true, false)) {
            assertThat(beans.containsSingleton(name)).as(name).isFalse();
        }
    }

    @Test
    void aClientThatNeedsServersFailsWithARemedy() {
        assertThatExceptionOfType(BeanCreationException.class)
                .isThrownBy(() -> beans.getBean(CuratorFramework.class))
                .havingRootCause()
                .withMessage("There is no ZooKeeper to connect to: the locks of this test are in memory. Use"
                        + " @AutoConfigureZkLock(server = LockServer.EMBEDDED)");
    }

    @Test
    void theRegistryWorksWithoutTheAnnotationToo() throws Exception {
        stats.countDirectly();

        assertThat(recording.taken()).containsExactly(Shop.STATS);
    }

    @RepeatedTest(2)
    void eachTestHasARecordingOfItsOwnLocks() {
        assertThat(recording.events()).isEmpty();

        stats.count();

        assertThat(recording.taken()).containsExactly(Shop.STATS);
        assertThat(recording.released()).containsExactly(Shop.STATS);
    }

    @RepeatedTest(2)
    void anOutageEndsWithItsTest() {
        assertThat(registry).isConnected();

        cluster.outage();

        assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(stats::countAtOnce);
    }

    @RepeatedTest(2)
    void aProcessThatIsCutOffIsConnectedAgainAfterItsTest() {
        assertThat(registry).isConnected();

        process.suspend();

        assertThat(registry).isCutOff();
    }

    @Test
    void aLossIsRecorded() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> registry.executeLocked(Shop.STATS, handle -> {
                    process.loseSession();
                    return "done";
                }));

        assertThat(recording.lost()).containsExactly(Shop.STATS);
    }
}
