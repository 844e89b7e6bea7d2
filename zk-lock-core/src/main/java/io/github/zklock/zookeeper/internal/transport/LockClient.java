package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.api.CuratorListener;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The Curator client of a registry, and the ZooKeeper handle on whose session the registry creates its nodes: the
 * client's own handle, or one that this class opens with the servers, the configuration and the credentials of the
 * client. Thread-safe.
 */
public final class LockClient {

    /*
     * The proof of a session begins with an instant after which the session touched the leader. If this process has not
     * observed the session from its start, there is no such instant, and no request can show one soon: the leader may
     * have removed the session from its queue of expiries just before. Until the leader closes the session, it accepts
     * touches of the session and answers its writes, exactly as it does for a session that lives
     * (SessionTrackerImpl.run, ExpiryQueue.poll). The creation of a session touches the leader, and the instant before
     * it is known to the client that requests it. Therefore a session of its own gives a registry its first proof within
     * a few round trips. (L36)
     *
     * A session is kept until it ends, also for the next engine, which finds the nodes of the previous one on it.
     */

    private static final Logger LOG = EngineLog.of(LockClient.class);

    private final CuratorFramework client;
    private final boolean owned;
    /** When the registry was built. */
    private final long builtAt = ObservedZooKeeper.now();
    /** The receivers of changes of the opened handle. */
    private final List<Runnable> changes = new CopyOnWriteArrayList<>();

    // guards: shares, opened, servers, closed
    private final ReentrantLock lock = new ReentrantLock();
    /** Whether the registry uses the session of the client. */
    private boolean shares;

    private @Nullable ObservedZooKeeper opened;
    /** The connect string of the opened handle. */
    private String servers = "";

    private boolean closed;

    /** @param owned whether the registry has created the client, and closes it */
    public LockClient(CuratorFramework client, boolean owned) {
        this.client = client;
        this.owned = owned;
        this.shares = owned;
    }

    /** Returns the client, for all requests that need no session of the registry. */
    CuratorFramework curator() {
        return client;
    }

    /** Returns whether the handle belongs to other code, which may set watches on it, and which closes it. */
    boolean isShared() {
        lock.lock();
        try {
            return shares && !owned;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the client is closed and does not start again. */
    boolean isClosed() {
        return client.getState() == CuratorFrameworkState.STOPPED;
    }

    /**
     * Returns the handle for locks. If it is connected, it is an observed one. Null if there is none at the moment. May
     * block.
     */
    @Nullable ZooKeeper handle() throws Exception {
        ZooKeeper ofClient = client.getZookeeperClient().getZooKeeper();
        lock.lock();
        try {
            ObservedZooKeeper own = opened;
            if (own == null || !own.getState().isAlive()) {
                opened = null;
                if (own != null && own.getState() == States.AUTH_FAILED) {
                    // reported once; the next attempt opens another one
                    return own;
                }
                if (ofClient == null || ofClient.getState() != States.CONNECTED) {
                    return ofClient;
                }
                shares = shares || (ofClient instanceof ObservedZooKeeper observed && observed.isNewAt(builtAt));
                if (shares || closed) {
                    return ofClient;
                }
                own = open(ofClient);
            }
            if (ofClient != null) {
                // before the session is used, and whenever the servers have denied it something
                Credentials.copy(ofClient, own);
            }
            return own;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the state of a handle that cannot be used yet, for messages. */
    String describe(ZooKeeper handle, States state) {
        lock.lock();
        try {
            return handle == opened
                    ? "the registry's own connection, beside that of its client, is " + state
                            + "; if it stays so, check maxClientCnxns of the servers"
                    : "the client is " + state;
        } finally {
            lock.unlock();
        }
    }

    /** Passes a change of the client's servers on to the opened handle. May block. */
    void followServers() {
        lock.lock();
        try {
            ObservedZooKeeper present = opened;
            if (present != null && present.getState().isAlive()) {
                String current = client.getZookeeperClient().getCurrentConnectionString();
                if (!current.equals(servers)) {
                    present.updateServerList(current);
                    servers = current;
                }
            }
        } catch (Exception failed) {
            LOG.warn("The session for locks cannot follow a change of the client's servers", failed);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs the action, on any thread, whenever the connection or the session of a handle may have changed, and when the
     * client is about to be closed.
     *
     * @return ends that
     */
    Runnable onChange(Runnable action) {
        ConnectionStateListener connections = (curator, state) -> action.run();
        CuratorListener ends = (curator, event) -> {
            if (event.getType() == CuratorEventType.CLOSING) {
                action.run();
            }
        };
        changes.add(action);
        client.getConnectionStateListenable().addListener(connections);
        boolean told = listen(ends);
        return () -> {
            changes.remove(action);
            client.getConnectionStateListenable().removeListener(connections);
            if (told) {
                client.getCuratorListenable().removeListener(ends);
            }
        };
    }

    private boolean listen(CuratorListener ends) {
        try {
            client.getCuratorListenable().addListener(ends);
            return true;
        } catch (UnsupportedOperationException namespaced) {
            // the view of a namespace does not report the close (NamespaceFacade); the next tick detects it
            return false;
        }
    }

    /** Closes what the registry has opened. May block. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        closeOpened();
        if (owned) {
            client.close();
        }
    }

    /** Ends the session that the registry has opened, if there is one. May block. */
    void closeOpened() {
        ObservedZooKeeper present;
        lock.lock();
        try {
            present = opened;
            opened = null;
        } finally {
            lock.unlock();
        }
        if (present != null) {
            try {
                present.close();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // called with the lock held
    private ObservedZooKeeper open(ZooKeeper ofClient) throws Exception {
        String current = client.getZookeeperClient().getCurrentConnectionString();
        ObservedZooKeeper fresh = ObservedZooKeeper.like(ofClient, current, event -> changes.forEach(Runnable::run));
        opened = fresh;
        servers = current;
        return fresh;
    }
}
