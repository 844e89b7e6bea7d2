package io.github.zklock.docs.fencing;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.zklock.FencingToken;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.function.Consumer;

/** Another member of the cluster, with a session of its own. */
final class OtherProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final EmbeddedZooKeeper zooKeeper;
    private final LockRegistry locks;
    private final ZooKeeperLockRegistry own;

    OtherProcess(EmbeddedZooKeeper zooKeeper, LockRegistry locks) {
        this.zooKeeper = zooKeeper;
        this.locks = locks;
        this.own = ZooKeeperLockRegistry.builder()
                .connectString(zooKeeper.connectString())
                .build();
    }

    /** Ends the session of the application, and does the work under the lock that it has lost. */
    void takeOver(String name, Consumer<FencingToken> work) {
        zooKeeper.expireSession(locks);
        work(name, work);
    }

    void work(String name, Consumer<FencingToken> work) {
        try (LockHandle handle = own.lock(name).acquire(PATIENCE)) {
            work.accept(handle.fencingToken());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Learns of the loss, in its own time, and is told of it once more. */
    static void closeLost(LockHandle handle) {
        await().atMost(PATIENCE).until(() -> handle.state() == LockState.LOST);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
    }

    @Override
    public void close() {
        own.close();
    }
}
