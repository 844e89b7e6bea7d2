package io.github.zklock.zookeeper;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * A ZooKeeper handle that knows when it was made, and tells of its close before the close is sent: the server removes a
 * closed session's nodes within milliseconds, long before any timeout. (M24)
 */
final class ObservedZooKeeper extends ZooKeeperAdmin {

    private final long madeAfterNanos;
    private final List<Runnable> beforeClose = new CopyOnWriteArrayList<>();

    private ObservedZooKeeper(
            String connectString,
            int sessionTimeout,
            Watcher watcher,
            boolean canBeReadOnly,
            ZKClientConfig config,
            long madeAfterNanos)
            throws IOException {
        super(connectString, sessionTimeout, watcher, canBeReadOnly, config);
        this.madeAfterNanos = madeAfterNanos;
    }

    /** Makes all handles of a Curator client observed ones. */
    static ZookeeperFactory factory() {
        return new ZookeeperFactory() {
            @Override
            public ZooKeeper newZooKeeper(String connectString, int timeout, Watcher watcher, boolean readOnly)
                    throws IOException {
                return newZooKeeper(connectString, timeout, watcher, readOnly, new ZKClientConfig());
            }

            @Override
            public ZooKeeper newZooKeeper(
                    String connectString, int timeout, Watcher watcher, boolean readOnly, ZKClientConfig config)
                    throws IOException {
                long now = System.nanoTime();
                ZKClientConfig used = config == null ? new ZKClientConfig() : config;
                return new ObservedZooKeeper(connectString, timeout, watcher, readOnly, used, now);
            }
        };
    }

    /** An instant before the session was made. */
    long madeAfterNanos() {
        return madeAfterNanos;
    }

    void beforeClose(Runnable action) {
        beforeClose.add(action);
    }

    @Override
    public void close() throws InterruptedException {
        beforeClose.forEach(Runnable::run);
        super.close();
    }

    @Override
    public boolean close(int waitForShutdownTimeoutMs) throws InterruptedException {
        beforeClose.forEach(Runnable::run);
        return super.close(waitForShutdownTimeoutMs);
    }
}
