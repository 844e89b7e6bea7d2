package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.fixture.TcpProxy.Direction;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * M26, M34: SessionTrackerImpl.run closes the expired sessions of a bucket one after the other. A session that reconnects
 * before its turn is confirmed, and commits transactions, but is closed nevertheless.
 */
class SlowExpiryTest {

    private static final String NAME = "/slow-expiry";
    private static final Duration SESSION = Duration.ofSeconds(4);
    /** One of these comes before the session of the holder, unless that is the first of all. */
    private static final int OTHERS = 64;

    private static final int ROUNDS = 5;
    /** So many later, a proof is dated by requests, and no longer by the creation of the session. */
    private static final int RENEWALS = 4;

    @RegisterExtension
    final RealServer real = new RealServer();

    @Test
    void sessionThatReconnectsWhileItsBucketIsClosedIsNotTrusted() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));
        ZooKeeperLockRegistry other = real.registry();

        for (int round = 1; round <= ROUNDS; round++) {
            ZooKeeperLockRegistry holder = open(proxy);
            LockHandle handle = holder.lock(NAME).acquire();
            long session = Long.parseUnsignedLong(holder.inspector().session().id(), 16);
            Bucket bucket = new Bucket(session);
            real.itself().beforeExpiry(bucket::next);
            proxy.pause(Direction.REQUEST);
            proxy.cut();
            real.itself().fillBucketOf(session, OTHERS);

            bucket.awaitBegin();
            boolean polled = !bucket.isClosed();
            proxy.heal();
            if (polled) {
                RealServer.awaitUntil(() -> holder.inspector().session().connected());
                // while the leader has not reached the session, it commits what the holder sends
                CompletionStage<LockHandle> next = other.lock(NAME).acquireAsync();
                RealServer.awaitAnswers(holder);
                Awaitility.await()
                        .during(SESSION.dividedBy(2))
                        .atMost(SESSION.multipliedBy(15))
                        .until(() -> !handle.isHeld());
                assertThat(real.itself().sessions()).contains(session);

                bucket.goOn();
                Actor.join(next.toCompletableFuture()).close();
                RealServer.awaitUntil(() -> handle.state() == LockState.LOST);
                return;
            }
            bucket.goOn();
            holder.close();
        }
        throw new AssertionError("The session of the holder was the first of its bucket in all rounds");
    }

    @Test
    void sessionThatReconnectsInTimeIsTrustedAgainAlthoughItsProofHadLapsed() throws Exception {
        TcpProxy proxy = real.open(new TcpProxy(real.itself().connectString()));

        for (int round = 1; round <= ROUNDS; round++) {
            ZooKeeperLockRegistry holder = open(proxy);
            LockHandle handle = holder.lock(NAME).acquire();
            String session = holder.inspector().session().id();
            // the first proof lasts almost as long as the session, later ones about half as long
            RealServer.awaitUntil(() -> holder.inspector().session().renewals() > RENEWALS);
            proxy.pause(Direction.REQUEST);
            proxy.cut();
            RealServer.awaitUntil(() -> !handle.isHeld());

            proxy.heal();

            RealServer.awaitUntil(() -> handle.isHeld() || handle.state() == LockState.LOST);
            if (handle.isHeld()) {
                assertThat(holder.inspector().session().id()).isEqualTo(session);
                return;
            }
            holder.close();
        }
        throw new AssertionError("The session of the holder expired in all rounds");
    }

    private ZooKeeperLockRegistry open(TcpProxy proxy) {
        // twice: a client of one server pauses for a second before it connects again
        return real.open(RealServer.builder()
                .connectString(proxy.connectString() + "," + proxy.connectString())
                .sessionTimeout(SESSION)
                .build());
    }

    /** A bucket that is polled, and stops at the first of its sessions. */
    private static final class Bucket {

        private final long session;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch goneOn = new CountDownLatch(1);
        private final AtomicBoolean closed = new AtomicBoolean();

        Bucket(long session) {
            this.session = session;
        }

        void next(long expired) {
            closed.compareAndSet(false, expired == session);
            begun.countDown();
            try {
                goneOn.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        void awaitBegin() throws InterruptedException {
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        }

        boolean isClosed() {
            return closed.get();
        }

        void goOn() {
            goneOn.countDown();
        }
    }
}
