package io.github.zklock.autoconfigure.startup;

import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line when the connection to ZooKeeper is lost, and one line when it is established again. These lines do not
 * depend on the loggers of ZooKeeper's client, which logs each attempt.
 */
final class ConnectionReport implements ConnectionStateListener {

    /** What to check if no server can be used. */
    static final String REMEDY =
            "Check that the servers run and have a quorum, and that zk.lock.connect-string names their ports, which with"
                    + " zk.lock.ssl.bundle are the ports for TLS (secureClientPort). The reason for each failed attempt is"
                    + " logged with logging.level.org.apache.zookeeper.ClientCnxn=info.";

    /**
     * <pre>
     * EXPECTED -&gt; MISSED              no connection within the connection timeout
     * EXPECTED | MISSED -&gt; PRESENT    connected
     * PRESENT &lt;-&gt; MISSED              connection lost / established again
     * any -&gt; OVER                     end()
     * </pre>
     */
    private enum State {
        EXPECTED,
        PRESENT,
        MISSED,
        OVER
    }

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionReport.class);

    private final CuratorFramework client;
    private final Duration connectionTimeout;
    private final AtomicReference<State> state = new AtomicReference<>(State.EXPECTED);

    ConnectionReport(CuratorFramework client, Duration connectionTimeout) {
        this.client = client;
        this.connectionTimeout = connectionTimeout;
    }

    /** @param warns whether to log a warning if there is no connection in time */
    void begin(boolean warns) {
        state.set(State.EXPECTED);
        client.getConnectionStateListenable().addListener(this);
        if (client.getZookeeperClient().isConnected()) {
            connected();
        } else if (warns) {
            CompletableFuture.delayedExecutor(connectionTimeout.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::missed);
        }
    }

    void end() {
        state.set(State.OVER);
        client.getConnectionStateListenable().removeListener(this);
    }

    String servers() {
        return client.getZookeeperClient().getCurrentConnectionString();
    }

    @Override
    public void stateChanged(CuratorFramework source, ConnectionState change) {
        switch (change) {
            case CONNECTED, RECONNECTED -> connected();
            case SUSPENDED -> suspended();
            case LOST, READ_ONLY -> {
                // the registry reports the locks that are lost
            }
        }
    }

    private void connected() {
        State before = state.getAndUpdate(current -> current == State.OVER ? current : State.PRESENT);
        if (before == State.MISSED) {
            LOG.info("Connected to ZooKeeper at {}; locks can be acquired", servers());
        }
    }

    private void suspended() {
        if (state.compareAndSet(State.PRESENT, State.MISSED)) {
            LOG.warn(
                    "Connection to ZooKeeper at {} lost; locks that this process holds are suspended until it is back, and"
                            + " lost if it is not back within the session timeout. Reconnecting in the background",
                    servers());
        }
    }

    private void missed() {
        if (state.compareAndSet(State.EXPECTED, State.MISSED)) {
            LOG.warn(
                    "No connection to ZooKeeper at {} within {}. The application runs, and no lock can be acquired until"
                            + " there is one. Connecting in the background. {}",
                    servers(),
                    Words.of(connectionTimeout),
                    REMEDY);
        }
    }
}
