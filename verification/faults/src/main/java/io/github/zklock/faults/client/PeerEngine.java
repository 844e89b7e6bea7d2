package io.github.zklock.faults.client;

import io.github.zklock.LockKind;
import io.github.zklock.faults.client.CallResult.Outcome;
import io.github.zklock.faults.client.Engine.Work;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The locks of other libraries over a plain Curator client with the retry policy of Curator's documentation, used as
 * carefully as their documentation recommends.
 */
abstract class PeerEngine implements Engine {

    private static final long BETWEEN_ATTEMPTS_MILLIS = 100;
    private static final int FIRST_PAUSE_MILLIS = 1000;
    private static final int RETRIES = 3;

    final CuratorFramework curator;
    final String basePath;

    private volatile ConnectionState state = ConnectionState.SUSPENDED;

    PeerEngine(ClientConfig config) {
        int timeout = Math.toIntExact(config.sessionTimeout().toMillis());
        curator = CuratorFrameworkFactory.newClient(
                config.connectString(), timeout, timeout, new ExponentialBackoffRetry(FIRST_PAUSE_MILLIS, RETRIES));
        basePath = config.basePath();
        curator.getConnectionStateListenable().addListener((client, now) -> state = now);
        curator.start();
    }

    /** Returns the lock of this name; all threads of the process share it. */
    abstract PeerLock lock(LockSpec spec);

    @Override
    public final CallResult call(LockCall call, Work work) throws InterruptedException {
        PeerLock lock = lock(call.spec());
        try {
            if (!acquire(lock, call)) {
                return missed(call);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return unavailable(e);
        }
        try (HeldPeerLock heldLock = new HeldPeerLock(lock)) {
            work.under(heldLock, Work.NOTHING_ELSE);
            return release(lock, heldLock);
        }
    }

    @Override
    public final CallResult downgrade(String name, Work writing, Work reading) throws InterruptedException {
        PeerLock writer = lock(new LockSpec(LockKind.WRITE, 1, 1, name));
        PeerLock reader = lock(new LockSpec(LockKind.READ, 1, 1, name));
        lock(writer);
        try (HeldPeerLock heldLock = new HeldPeerLock(writer)) {
            writing.under(heldLock, Work.NOTHING_ELSE);
            lock(reader);
            CallResult written = release(writer, heldLock);
            if (written.outcome() != Outcome.RELEASED) {
                release(reader, heldLock);
                return written;
            }
        }
        try (HeldPeerLock heldLock = new HeldPeerLock(reader)) {
            reading.under(heldLock, Work.NOTHING_ELSE);
            return release(reader, heldLock);
        }
    }

    @Override
    public final String session() {
        try {
            return Long.toHexString(curator.getZookeeperClient().getZooKeeper().getSessionId());
        } catch (Exception disconnected) {
            return "none";
        }
    }

    @Override
    public final void disrupt(Disruption disruption) throws Exception {
        SharedClient.apply(disruption, curator);
    }

    @Override
    public void close() {
        curator.close();
    }

    private static boolean acquire(PeerLock lock, LockCall call) throws Exception {
        if (call.how() != LockCall.How.FOREVER) {
            return lock.tryLock(call.maxWait());
        }
        lock(lock);
        return true;
    }

    private static void lock(PeerLock lock) throws InterruptedException {
        while (true) {
            try {
                lock.lock();
                return;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                // a caller without a deadline tries again
                unavailable(e);
                TimeUnit.MILLISECONDS.sleep(BETWEEN_ATTEMPTS_MILLIS);
            }
        }
    }

    private CallResult missed(LockCall call) {
        if (!curator.getZookeeperClient().isConnected()) {
            return CallResult.of(Outcome.UNAVAILABLE);
        }
        return CallResult.of(call.how() == LockCall.How.TRY ? Outcome.EMPTY : Outcome.TIMEOUT);
    }

    /**
     * Releases the lock. An exception counts as the report of a loss if the session is lost; otherwise the library
     * retries the release.
     */
    private static CallResult release(PeerLock lock, HeldPeerLock heldLock) throws InterruptedException {
        try {
            lock.unlock();
            return CallResult.of(Outcome.RELEASED);
        } catch (Exception e) {
            CallResult failure = unavailable(e);
            boolean over =
                    heldLock.isLost() || causes(e).anyMatch(KeeperException.SessionExpiredException.class::isInstance);
            return new CallResult(over ? Outcome.LOST : Outcome.RELEASED, failure.message());
        }
    }

    /** Converts an exception that ZooKeeper caused to a result; throws all others, and an interrupt as such. */
    private static CallResult unavailable(Exception e) throws InterruptedException {
        if (causes(e).anyMatch(InterruptedException.class::isInstance)) {
            throw (InterruptedException) new InterruptedException(e.toString()).initCause(e);
        }
        if (causes(e).anyMatch(PeerEngine::isOfConnection)) {
            return CallResult.of(Outcome.UNAVAILABLE, e);
        }
        throw e instanceof RuntimeException unexpected ? unexpected : new IllegalStateException(e.toString(), e);
    }

    private static boolean isOfConnection(Throwable cause) {
        if (!(cause instanceof KeeperException failure)) {
            return false;
        }
        Code code = failure.code();
        return code == Code.CONNECTIONLOSS || code == Code.SESSIONEXPIRED || code == Code.OPERATIONTIMEOUT;
    }

    private static Stream<Throwable> causes(Throwable e) {
        return Stream.iterate(e, cause -> cause != null, Throwable::getCause);
    }

    /** A lock of another library, as that library offers it to a thread. */
    interface PeerLock {

        void lock() throws Exception;

        boolean tryLock(Duration maxWait) throws Exception;

        void unlock() throws Exception;

        /** Returns whether the calling thread holds it, as far as the library states. */
        boolean isHeld();

        /** Returns the path of the seat of the calling thread. */
        String node();
    }

    /**
     * A held lock of another library. As Curator's documentation recommends, it counts as not held while the connection is
     * suspended, and as lost once the session is lost.
     */
    private final class HeldPeerLock implements HeldLock, ConnectionStateListener, AutoCloseable {

        private final PeerLock lock;
        private final AtomicReference<@Nullable Runnable> lossListener = new AtomicReference<>();

        private volatile boolean lost;

        /** Created by the holding thread as soon as the lock is granted. */
        HeldPeerLock(PeerLock lock) {
            this.lock = lock;
            curator.getConnectionStateListenable().addListener(this);
        }

        @Override
        public void stateChanged(CuratorFramework client, ConnectionState now) {
            if (now == ConnectionState.LOST) {
                lost = true;
                Runnable listener = lossListener.get();
                if (listener != null) {
                    listener.run();
                }
            }
        }

        @Override
        public boolean isHeld() {
            return state.isConnected() && !lost && lock.isHeld();
        }

        @Override
        public String state() {
            return state.name();
        }

        @Override
        public String node() {
            return lock.node();
        }

        @Override
        public void onLost(Runnable listener) {
            lossListener.set(listener);
        }

        /** Returns whether the session was lost after the grant. */
        @Override
        public boolean isLost() {
            return lost;
        }

        @Override
        public void close() {
            curator.getConnectionStateListenable().removeListener(this);
        }
    }
}
