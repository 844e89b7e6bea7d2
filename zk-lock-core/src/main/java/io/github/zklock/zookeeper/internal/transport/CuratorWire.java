package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The wire to real servers. Curator keeps the client alive and reports possible changes; requests use the handle
 * directly.
 */
public final class CuratorWire implements Wire {

    /*
     * Curator's events do not name the handle. Its getZooKeeper() can block, throw an exception that other code queued,
     * or return null after close. Therefore it is called on a thread of its own, and the state of the returned handle
     * is checked. No watcher is registered on the handle, because it would replace Curator's.
     *
     * Curator may regard a connected handle as disconnected: the event of a session that has ended overwrites the event
     * of the next connection (ConnectionState.process). Then its calls wait for a connection until they time out.
     * Therefore requests use the handle where possible.
     */

    private static final Logger LOG = EngineLog.of(CuratorWire.class);

    private final LockClient client;
    private final String basePath;
    private final @Nullable AccessLists acls;
    private final EngineRun run;
    private final Executor clientThread;
    private Runnable stopHints = () -> {};
    private Runnable hint = () -> {};
    private volatile @Nullable ObservedZooKeeper pinned;
    private volatile boolean troubleTold;
    private volatile boolean timeoutTold;
    private volatile boolean closed;

    /** @param acls null to give nodes the access list of the base path */
    public CuratorWire(
            LockClient client, String basePath, @Nullable AccessLists acls, EngineRun run, Executor clientThread) {
        this.client = client;
        this.basePath = basePath;
        this.acls = acls;
        this.run = run;
        this.clientThread = clientThread;
    }

    @Override
    public void pin(Consumer<Pin> answer) {
        clientThread.execute(() -> {
            try {
                Pin found = find();
                run.execute(() -> answer.accept(found));
            } catch (Throwable lost) {
                run.breakOff();
            }
        });
    }

    @Override
    public void onHint(Runnable action) {
        hint = action;
        stopHints = client.onChange(() -> {
            run.execute(action);
            clientThread.execute(client::followServers);
        });
    }

    @Override
    public void close() {
        leave();
        clientThread.execute(client::close);
    }

    @Override
    public void leave() {
        closed = true;
        stopHints.run();
        ObservedZooKeeper handle = pinned;
        if (handle != null) {
            handle.forget(this);
        }
    }

    private Pin find() {
        if (client.isClosed()) {
            // holders have been notified: the session is no longer pinned
            client.closeOpened();
            return new Pin.Closed();
        }
        try {
            ZooKeeper handle = client.handle();
            if (handle == null) {
                return new Pin.NotYet("the client has no handle");
            }
            States state = handle.getState();
            if (state == States.CONNECTED && handle instanceof ObservedZooKeeper observed) {
                return pinned(observed);
            }
            return state == States.AUTH_FAILED
                    ? new Pin.Denied(
                            "the servers reject the authentication of this client; check its credentials", null)
                    : new Pin.NotYet(client.describe(handle, state));
        } catch (KeeperException.NoAuthException refused) {
            return new Pin.Denied(
                    "an access list forbids this client to use the base path " + basePath
                            + "; grant it create, read, write and delete there",
                    refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Pin.NotYet("the requesting thread was interrupted");
        } catch (Throwable failed) {
            // also an Error: otherwise the caller would wait for an answer without a limit
            // while the client is closed, an attempt that has begun before fails
            if (!troubleTold && !client.isClosed()) {
                troubleTold = true;
                LOG.warn("No session can be used for locks at the moment ({}); trying again", failed.toString());
                LOG.debug("That was", failed);
            }
            return new Pin.NotYet(failed.toString());
        }
    }

    private Pin pinned(ObservedZooKeeper handle) throws Exception {
        UnaryOperator<String> fullPath = pathsWithin(client.curator().getNamespace());
        String fullBasePath = fullPath.apply(basePath);
        if (handle.exists(fullBasePath, false) == null) {
            makeBasePath();
            // the client may be connected to another server than the handle, which then has not seen the new node yet
            handle.sync(fullBasePath, (rc, path, context) -> {}, null);
        }
        CuratorSession session = new CuratorSession(
                handle,
                fullPath,
                accessLists(handle, fullBasePath),
                run,
                client.isShared(),
                client::isClosed,
                clientThread);
        // set first: a concurrent close of this wire then forgets the handle, or is detected below
        pinned = handle;
        handle.beforeClose(this, () -> {
            session.markEnded();
            run.execute(hint);
        });
        if (closed) {
            handle.forget(this);
        }
        troubleTold = false;
        compareTimeouts(handle);
        return new Pin.Pinned(session);
    }

    private void compareTimeouts(ObservedZooKeeper handle) {
        Duration requested = Duration.ofMillis(handle.requestedTimeoutMillis());
        Duration granted = Duration.ofMillis(handle.getSessionTimeout());
        if (!granted.equals(requested) && !timeoutTold) {
            timeoutTold = true;
            LOG.warn(
                    "The ZooKeeper servers granted a session timeout of {} instead of the requested {}, so the locks of an"
                            + " unreachable process are released after {}. Request a timeout between the minSessionTimeout"
                            + " and the maxSessionTimeout of the servers (by default 2 and 20 times their tickTime), or"
                            + " change these limits on all servers",
                    Words.of(granted),
                    Words.of(requested),
                    Words.of(granted));
        }
    }

    private void makeBasePath() throws Exception {
        if (basePath.equals("/")) {
            // creates the namespace, which is missing
            client.curator().getACL().forPath(basePath);
        } else {
            client.curator().createContainers(basePath);
        }
    }

    private Function<String, List<ACL>> accessLists(ZooKeeper handle, String fullBasePath)
            throws KeeperException, InterruptedException {
        if (acls != null) {
            return acls::of;
        }
        List<ACL> inherited = handle.getACL(fullBasePath, new Stat());
        return path -> inherited;
    }

    /** Returns a function that adds the client's namespace in front of a path. ZooKeeper's client checks the path. */
    private static UnaryOperator<String> pathsWithin(@Nullable String namespace) {
        if (namespace == null || namespace.isEmpty()) {
            return path -> path;
        }
        String prefix = "/" + namespace;
        return path -> path.equals("/") ? prefix : prefix + path;
    }
}
