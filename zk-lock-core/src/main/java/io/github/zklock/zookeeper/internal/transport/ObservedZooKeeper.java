package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.zookeeper.internal.runtime.SystemTime;
import io.github.zklock.zookeeper.internal.transport.Connection.Attempt;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import javax.security.auth.login.Configuration;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper handle that records when it last tried to connect, which is the latest certain contact with the leader.
 * It reports its close before it sends the close: the server deletes the nodes of a closed session within milliseconds,
 * long before any timeout. (M24)
 */
public final class ObservedZooKeeper extends ZooKeeper {

    /**
     * The number of bytes of an answer that are read, unless the client is configured otherwise. By default,
     * ZooKeeper's client closes the connection of all locks when an answer exceeds a megabyte. But other clients can
     * make a queue or a folder of locks of any length, and the answer of the largest node that the servers accept is
     * larger than the node.
     */
    private static final String LONGEST_ANSWER = Integer.toString(16 * 1024 * 1024);

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final Attempts attempts;
    private final int requestedTimeout;
    /** Stays the same, also if a later list of servers has another one (ZooKeeper.updateServerList). */
    private final String root;

    private volatile String servers;
    private final Map<Object, Runnable> beforeClose = new ConcurrentHashMap<>();
    private volatile boolean closing;

    private ObservedZooKeeper(
            String connectString,
            int sessionTimeout,
            int requestedTimeout,
            Watcher watcher,
            boolean canBeReadOnly,
            ZKClientConfig config,
            Attempts attempts)
            throws IOException {
        super(connectString, sessionTimeout, watcher, canBeReadOnly, attempts, config);
        this.attempts = attempts;
        this.requestedTimeout = requestedTimeout;
        String path = new ConnectStringParser(connectString).getChrootPath();
        this.root = path == null ? "" : path;
        this.servers = serversOf(connectString);
        attempts.of(this);
    }

    /** Returns a factory that makes all handles of a Curator client observed ones. */
    public static ZookeeperFactory factory() {
        return new ZookeeperFactory() {
            @Override
            public ZooKeeper newZooKeeper(String connectString, int timeout, Watcher watcher, boolean readOnly)
                    throws IOException {
                return newZooKeeper(connectString, timeout, watcher, readOnly, null);
            }

            @Override
            public ZooKeeper newZooKeeper(
                    String connectString,
                    int timeout,
                    Watcher watcher,
                    boolean readOnly,
                    @Nullable ZKClientConfig config)
                    throws IOException {
                ZKClientConfig known = config == null ? new ZKClientConfig() : config;
                return open(connectString, timeout, timeout, watcher, readOnly, known);
            }
        };
    }

    /**
     * Opens a session with the configuration and the session timeout of a connected handle. The credentials are not
     * copied.
     */
    static ObservedZooKeeper like(ZooKeeper other, String connectString, Watcher watcher) throws IOException {
        int granted = other.getSessionTimeout();
        int requested = other instanceof ObservedZooKeeper observed ? observed.requestedTimeout : granted;
        return open(connectString, granted, requested, watcher, false, new CopiedConfig(other.getClientConfig()));
    }

    private static ObservedZooKeeper open(
            String connectString,
            int timeout,
            int requestedTimeout,
            Watcher watcher,
            boolean readOnly,
            ZKClientConfig config)
            throws IOException {
        if (config.getProperty(ZKConfig.JUTE_MAXBUFFER) == null) {
            config.setProperty(ZKConfig.JUTE_MAXBUFFER, LONGEST_ANSWER);
        }
        if (config.getProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY) == null && !logsIn(config)) {
            config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        }
        Attempts attempts =
                new Attempts(new StaticHostProvider(new ConnectStringParser(connectString).getServerAddresses()));
        return new ObservedZooKeeper(connectString, timeout, requestedTimeout, watcher, readOnly, config, attempts);
    }

    /**
     * Returns whether this client can log in by SASL, or is expected to. Otherwise ZooKeeper's client does not use
     * SASL, but it prepares for it: before each connection it resolves the name of the server's address. If the name
     * service does not answer, that takes seconds, during which the proof of a held lock may run out.
     */
    private static boolean logsIn(ZKClientConfig config) {
        if (config.getProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY) != null) {
            return true;
        }
        try {
            String section = ZKClientConfig.LOGIN_CONTEXT_NAME_KEY_DEFAULT;
            return Configuration.getConfiguration().getAppConfigurationEntry(section) != null;
        } catch (SecurityException | IllegalArgumentException unreadable) {
            // ZooKeeper's client reports what is wrong with the configuration
            return true;
        }
    }

    /** Returns what is known of the latest connection at this instant. */
    Connection connection() {
        Connection seen = attempts.latest;
        // the client has the timeout of a connection slightly before it reports the connection
        long negotiated = getSessionTimeout() * NANOS_PER_MILLI;
        return negotiated < seen.timeoutNanos() ? seen.granted(negotiated, seen.shortenedAfterNanos()) : seen;
    }

    /** Returns the timeout for which the configuration asks, in milliseconds. The servers may grant another one. */
    int requestedTimeoutMillis() {
        return requestedTimeout;
    }

    /** Returns the present instant of the monotonic clock. */
    static long now() {
        return System.nanoTime();
    }

    /**
     * Returns whether the session was created after this instant, or so shortly before it that the creation proves the
     * session until requests prove it which are sent from this instant on.
     */
    boolean isNewAt(long instant) {
        // the creation proves the session for 11/12 of T; requests that are sent each T/8 prove it 5/8 of T after the
        // first one at the latest (SessionProof)
        Attempt latest = attempts.latest.attempt();
        return latest != null
                && latest.fresh()
                && instant - latest.afterNanos() < getSessionTimeout() * NANOS_PER_MILLI / 4;
    }

    /** Runs the action before a close is sent, until {@link #forget} is called. */
    public void beforeClose(Object owner, Runnable action) {
        beforeClose.put(owner, action);
        if (closing) {
            action.run();
        }
    }

    public void forget(Object owner) {
        beforeClose.remove(owner);
    }

    @Override
    public void updateServerList(String connectString) throws IOException {
        super.updateServerList(connectString);
        servers = serversOf(connectString);
    }

    /** Returns the connect string of another handle with the same servers and the same change root. */
    String connectString() {
        return servers + root;
    }

    /** Returns the change root, which the servers add in front of each path; may be empty. */
    String root() {
        return root;
    }

    private static String serversOf(String connectString) {
        int slash = connectString.indexOf('/');
        return slash < 0 ? connectString : connectString.substring(0, slash);
    }

    @Override
    public void close() throws InterruptedException {
        tellOfClose();
        super.close();
    }

    @Override
    public boolean close(int waitForShutdownTimeoutMs) throws InterruptedException {
        tellOfClose();
        return super.close(waitForShutdownTimeoutMs);
    }

    private void tellOfClose() {
        // set before the actions run: an action that is added later runs at once
        closing = true;
        beforeClose.values().forEach(Runnable::run);
    }

    /** The configuration of another handle, which is read at each use and never changed. */
    private static final class CopiedConfig extends ZKClientConfig {

        private final ZKClientConfig original;

        CopiedConfig(ZKClientConfig original) {
            this.original = original;
        }

        @Override
        public @Nullable String getProperty(String key) {
            String value = original.getProperty(key);
            return value == null ? super.getProperty(key) : value;
        }

        @Override
        public @Nullable String getProperty(String key, @Nullable String defaultValue) {
            String value = getProperty(key);
            return value == null ? defaultValue : value;
        }
    }

    /** The record of when the client chooses the next server, and of the timeouts that it negotiates. */
    private static final class Attempts implements HostProvider {

        private final HostProvider servers;
        /** Written with the lock held. Its timeout is unknown until a connection has been noted. */
        private volatile Connection latest;
        /** Null when the first attempt is made, which creates the session, and perhaps still when it succeeds. */
        private volatile @Nullable ZooKeeper client;

        // guards: connectedBefore, first
        private final ReentrantLock lock = new ReentrantLock();
        private boolean connectedBefore;
        /**
         * The first attempt since the last connection: with Netty, a connection may be reported after a later attempt.
         */
        private @Nullable Attempt first;

        Attempts(HostProvider servers) {
            this.servers = servers;
            Attempt beforeFirst = attempt(true);
            this.first = beforeFirst;
            OptionalLong after = OptionalLong.of(beforeFirst.afterNanos());
            this.latest = new Connection(0, Long.MAX_VALUE, Long.MAX_VALUE, beforeFirst, after);
        }

        private static Attempt attempt(boolean fresh) {
            long now = System.nanoTime();
            return new Attempt(now, OptionalLong.of(SystemTime.wallNow() - now), fresh);
        }

        @Override
        public InetSocketAddress next(long spinDelay) {
            ZooKeeper known = client;
            // noted before the pause that the last line may make: an earlier instant is safe
            noteAttempt(attempt(known == null ? latest.number() == 0 : known.getSessionId() == 0));
            return servers.next(spinDelay);
        }

        void of(ZooKeeper handle) {
            lock.lock();
            try {
                client = handle;
                if (connectedBefore) {
                    noteTimeout(handle);
                }
            } finally {
                lock.unlock();
            }
        }

        private void noteAttempt(Attempt attempt) {
            lock.lock();
            try {
                latest = latest.next(attempt);
                first = first == null ? attempt : first;
            } finally {
                lock.unlock();
            }
        }

        private void noteConnection() {
            lock.lock();
            try {
                connectedBefore = true;
                ZooKeeper known = client;
                if (known != null) {
                    noteTimeout(known);
                }
                first = null;
            } finally {
                lock.unlock();
            }
        }

        // called with the lock held, after ClientCnxn.SendThread.onConnected has written the timeout
        private void noteTimeout(ZooKeeper handle) {
            OptionalLong attemptedAfter =
                    first == null ? latest.attemptedAfterNanos() : OptionalLong.of(first.afterNanos());
            latest = latest.granted(handle.getSessionTimeout() * NANOS_PER_MILLI, attemptedAfter);
        }

        @Override
        public int size() {
            return servers.size();
        }

        @Override
        public void onConnected() {
            noteConnection();
            servers.onConnected();
        }

        @Override
        public boolean updateServerList(Collection<InetSocketAddress> addresses, InetSocketAddress current) {
            return servers.updateServerList(addresses, current);
        }
    }
}
