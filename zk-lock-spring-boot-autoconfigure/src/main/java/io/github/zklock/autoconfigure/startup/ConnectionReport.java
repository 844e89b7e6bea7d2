package io.github.zklock.autoconfigure.startup;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;

/**
 * Logs one line when the connection to ZooKeeper is lost, and one line when it is established again. These lines do not
 * depend on the loggers of ZooKeeper's client, which logs each attempt.
 */
final class ConnectionReport implements ConnectionStateListener {

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
    private final Supplier<@Nullable SslBundle> bundle;
    private final AtomicReference<State> state = new AtomicReference<>(State.EXPECTED);

    /**
     * @param bundle returns the SSL bundle of the client's next connection; null if it uses none or the bundle is
     *     unknown
     */
    ConnectionReport(CuratorFramework client, Duration connectionTimeout, Supplier<@Nullable SslBundle> bundle) {
        this.client = client;
        this.connectionTimeout = connectionTimeout;
        this.bundle = bundle;
    }

    /** @param warns whether to log a warning if there is no connection in time */
    void begin(boolean warns) {
        state.set(State.EXPECTED);
        client.getConnectionStateListenable().addListener(this);
        if (client.getZookeeperClient().isConnected()) {
            connected();
        } else if (warns) {
            Executor later = CompletableFuture.delayedExecutor(connectionTimeout.toNanos(), TimeUnit.NANOSECONDS);
            later.execute(this::missed);
        }
    }

    void end() {
        state.set(State.OVER);
        client.getConnectionStateListenable().removeListener(this);
    }

    /** Starts a diagnosis of why the servers create no session. */
    ServerDiagnosis diagnose(Duration patience) {
        return ServerDiagnosis.begin(servers(), bundle.get(), patience);
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
        if (moveUnlessOver(State.PRESENT) == State.MISSED) {
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
            ServerDiagnosis diagnosis = diagnose(connectionTimeout);
            Executor later = CompletableFuture.delayedExecutor(
                    Math.min(connectionTimeout.toMillis(), 500), TimeUnit.MILLISECONDS);
            later.execute(() -> warn(diagnosis));
        }
    }

    private void warn(ServerDiagnosis diagnosis) {
        if (state.get() == State.MISSED) {
            LOG.warn(
                    "No connection to ZooKeeper at {} within {}: {}. The application runs, and no lock can be acquired"
                            + " until there is one.{} Connecting in the background",
                    servers(),
                    connectionTimeout,
                    diagnosis.text(),
                    diagnosis.remedy().map(" "::concat).orElse(""));
        }
    }

    private State moveUnlessOver(State next) {
        return state.getAndUpdate(current -> current == State.OVER ? current : next);
    }
}
