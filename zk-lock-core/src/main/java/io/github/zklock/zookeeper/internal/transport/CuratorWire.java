package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
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

    private final CuratorFramework client;
    private final boolean ownsClient;
    private final String basePath;
    private final @Nullable AccessLists acls;
    private final EngineRun run;
    private final Executor clientThread;
    private final AtomicLong connectionEvents = new AtomicLong();
    private @Nullable ConnectionStateListener listener;
    private Runnable hint = () -> {};
    private volatile @Nullable ZooKeeper pinned;
    private volatile boolean troubleTold;
    private volatile boolean closed;

    /** @param acls null to give nodes the access list of the base path */
    public CuratorWire(
            CuratorFramework client,
            boolean ownsClient,
            String basePath,
            @Nullable AccessLists acls,
            EngineRun run,
            Executor clientThread) {
        this.client = client;
        this.ownsClient = ownsClient;
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
        listener = (curator, state) -> {
            connectionEvents.incrementAndGet();
            run.execute(action);
        };
        client.getConnectionStateListenable().addListener(listener);
    }

    @Override
    public void close() {
        leave();
        if (ownsClient) {
            clientThread.execute(client::close);
        }
    }

    @Override
    public void leave() {
        closed = true;
        if (listener != null) {
            client.getConnectionStateListenable().removeListener(listener);
        }
        if (pinned instanceof ObservedZooKeeper observed) {
            observed.forget(this);
        }
    }

    private Pin find() {
        if (client.getState() == CuratorFrameworkState.STOPPED) {
            return new Pin.Closed();
        }
        try {
            ZooKeeper handle = client.getZookeeperClient().getZooKeeper();
            if (handle == null) {
                return new Pin.NotYet("the client has no handle");
            }
            return switch (handle.getState()) {
                case CONNECTED -> pinned(handle);
                case AUTH_FAILED ->
                    new Pin.Denied("the servers reject the authentication of this client; check its credentials", null);
                default -> new Pin.NotYet("the client is " + handle.getState());
            };
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
            if (!troubleTold) {
                troubleTold = true;
                LOG.warn("No session can be used for locks at the moment ({}); trying again", failed.toString());
                LOG.debug("That was", failed);
            }
            return new Pin.NotYet(failed.toString());
        }
    }

    private Pin pinned(ZooKeeper handle) throws Exception {
        UnaryOperator<String> fullPath = pathsWithin(client.getNamespace());
        String fullBasePath = fullPath.apply(basePath);
        if (handle.exists(fullBasePath, false) == null) {
            makeBasePath();
        }
        CuratorSession session = new CuratorSession(
                handle, fullPath, accessLists(handle, fullBasePath), run, !ownsClient, connectionEvents::get, root());
        // set first: a concurrent close of this wire then forgets the handle, or is detected below
        pinned = handle;
        if (handle instanceof ObservedZooKeeper observed) {
            observed.beforeClose(this, () -> {
                session.markEnded();
                run.execute(hint);
            });
            if (closed) {
                observed.forget(this);
            }
        }
        troubleTold = false;
        return new Pin.Pinned(session);
    }

    private void makeBasePath() throws Exception {
        if (basePath.equals("/")) {
            // creates the namespace, which is missing
            client.getACL().forPath(basePath);
        } else {
            client.createContainers(basePath);
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

    /** Returns the change root of the connect string. */
    private String root() {
        String root = new ConnectStringParser(client.getZookeeperClient().getCurrentConnectionString()).getChrootPath();
        return root == null ? "" : root;
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
