package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.RealServer;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The warning of a long hold shows the stack of the holder, which may be deep. */
class HoldWarningTest {

    @RegisterExtension
    private final RealServer server = new RealServer();

    @Test
    void stackOfAHolderIsReadOnTheThreadOfTheLog() throws Exception {
        ZooKeeperLockRegistry registry = server.open(RealServer.builder()
                .connectString(server.itself().connectString())
                .policy(name -> LockPolicy.defaults().holdWarning(Duration.ofMillis(1)))
                .build());
        Holder holder = new Holder(registry);

        holder.start();

        RealServer.awaitUntil(() -> !holder.readers.isEmpty());
        holder.mayEnd.countDown();
        holder.join();
        assertThat(holder.readers).containsOnly("zk-lock-log");
    }

    /** A thread that notes the threads that read its stack. */
    private static final class Holder extends Thread {

        private final ZooKeeperLockRegistry registry;
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final List<String> readers = new CopyOnWriteArrayList<>();

        private Holder(ZooKeeperLockRegistry registry) {
            this.registry = registry;
        }

        @Override
        public void run() {
            try (LockHandle held = registry.lock("/held-long").acquire()) {
                assertThat(held.isHeld()).isTrue();
                mayEnd.await();
            } catch (InterruptedException early) {
                interrupt();
            }
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            readers.add(Thread.currentThread().getName());
            return super.getStackTrace();
        }
    }
}
