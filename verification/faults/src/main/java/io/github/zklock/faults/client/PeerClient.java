package io.github.zklock.faults.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** A plain Curator client with the retry policy of Curator's documentation, and the state of its connection. */
final class PeerClient implements AutoCloseable {

    private static final int FIRST_PAUSE_MILLIS = 1000;
    private static final int RETRIES = 3;

    private final CuratorFramework curator;
    private final Set<Runnable> lossListeners = ConcurrentHashMap.newKeySet();

    private volatile ConnectionState state = ConnectionState.SUSPENDED;
    private volatile long losses;

    PeerClient(String connectString, Duration sessionTimeout) {
        int timeout = Math.toIntExact(sessionTimeout.toMillis());
        curator = CuratorFrameworkFactory.newClient(
                connectString, timeout, timeout, new ExponentialBackoffRetry(FIRST_PAUSE_MILLIS, RETRIES));
        curator.getConnectionStateListenable().addListener((client, now) -> changed(now));
        curator.start();
    }

    CuratorFramework curator() {
        return curator;
    }

    String session() {
        try {
            return Long.toHexString(curator.getZookeeperClient().getZooKeeper().getSessionId());
        } catch (Exception disconnected) {
            return "none";
        }
    }

    ConnectionState state() {
        return state;
    }

    /** Returns whether a holder may rely on its lock, by Curator's documentation. */
    boolean isProven() {
        return state.isConnected();
    }

    boolean isConnected() {
        return curator.getZookeeperClient().isConnected();
    }

    /** Returns how often the session was lost so far. */
    long losses() {
        return losses;
    }

    void onLost(Runnable listener) {
        lossListeners.add(listener);
    }

    void forget(Runnable listener) {
        lossListeners.remove(listener);
    }

    @Override
    public void close() {
        curator.close();
    }

    // only one thread of Curator writes
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void changed(ConnectionState now) {
        state = now;
        if (now == ConnectionState.LOST) {
            losses++;
            lossListeners.forEach(Runnable::run);
        }
    }
}
