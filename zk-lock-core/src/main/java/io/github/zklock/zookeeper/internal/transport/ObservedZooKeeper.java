package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.zookeeper.internal.runtime.SystemTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
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
 * A ZooKeeper handle that knows when it last tried to connect, which is the leader's latest sign of life for certain, and
 * that tells of its close before the close is sent: the server removes a closed session's nodes within milliseconds, long
 * before any timeout. (M24)
 */
public final class ObservedZooKeeper extends ZooKeeper {

    /**
     * So many bytes of an answer are read, unless the client is configured otherwise. ZooKeeper's client refuses more than a
     * megabyte by closing the connection of all locks, but a queue or a folder of locks can be as long as others make it,
     * and a node that is as large as the servers take is larger in an answer.
     */
    private static final String LONGEST_ANSWER = Integer.toString(16 * 1024 * 1024);

    private final Attempts attempts;
    private final Map<Object, Runnable> beforeClose = new ConcurrentHashMap<>();
    private volatile boolean closing;

    private ObservedZooKeeper(
            String connectString,
            int sessionTimeout,
            Watcher watcher,
            boolean canBeReadOnly,
            ZKClientConfig config,
            Attempts attempts)
            throws IOException {
        super(connectString, sessionTimeout, watcher, canBeReadOnly, attempts, config);
        this.attempts = attempts;
        attempts.of(this);
    }

    /** Makes all handles of a Curator client observed ones. */
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
                ZKClientConfig used = config == null ? new ZKClientConfig() : config;
                if (used.getProperty(ZKConfig.JUTE_MAXBUFFER) == null) {
                    used.setProperty(ZKConfig.JUTE_MAXBUFFER, LONGEST_ANSWER);
                }
                if (used.getProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY) == null && !logsIn(used)) {
                    used.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
                }
                Attempts attempts = new Attempts(
                        new StaticHostProvider(new ConnectStringParser(connectString).getServerAddresses()));
                return new ObservedZooKeeper(connectString, timeout, watcher, readOnly, used, attempts);
            }
        };
    }

    /**
     * Whether this client can log in by SASL, or somebody expects that it can. Otherwise ZooKeeper's client makes no use of
     * SASL, and prepares for it all the same: it asks for the name of the server's address each time before it connects,
     * which takes seconds where the name service does not answer, while a lock that is held runs out.
     */
    private static boolean logsIn(ZKClientConfig config) {
        if (config.getProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY) != null) {
            return true;
        }
        try {
            String section = ZKClientConfig.LOGIN_CONTEXT_NAME_KEY_DEFAULT;
            return Configuration.getConfiguration().getAppConfigurationEntry(section) != null;
        } catch (SecurityException | IllegalArgumentException unreadable) {
            // of which ZooKeeper's client says what is wrong with it
            return true;
        }
    }

    /** An instant before the latest attempt to connect. A connection that is there now was attempted then or later. */
    public long lastAttemptNanos() {
        return attempts.last.nanos();
    }

    /** How far the wall clock was ahead of the monotonic one at {@link #lastAttemptNanos}. */
    public long wallLeadAtAttemptNanos() {
        return attempts.last.wallLead();
    }

    /** How often the client has tried to connect. */
    public long attempts() {
        return attempts.count.get();
    }

    /** Of all connections that were made, as far as they are known. */
    public int shortestTimeoutMillis() {
        Shortest known = attempts.shortest;
        return known == null ? Integer.MAX_VALUE : known.millis();
    }

    /** An instant before the attempt by which the shortest timeout was negotiated. */
    public long shortestAttemptNanos() {
        Shortest known = attempts.shortest;
        return known == null ? attempts.last.nanos() : known.attemptedAfter();
    }

    /** Whether the latest attempt to connect was to create a session, and not to go on with one. */
    public boolean isFresh() {
        return attempts.last.fresh();
    }

    /** Runs the action before a close is sent, until it is forgotten. */
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
        // before the actions run: an action that is added after this runs at once
        closing = true;
        beforeClose.values().forEach(Runnable::run);
    }

    /** @param attemptedAfter an instant before the attempt of the connection that negotiated it */
    private record Shortest(int millis, long attemptedAfter) {}

    /**
     * @param wallLead how far the wall clock was ahead of the monotonic one
     * @param fresh whether it was to create a session
     */
    private record Attempt(long nanos, long wallLead, boolean fresh) {

        static Attempt now(boolean fresh) {
            long now = System.nanoTime();
            return new Attempt(now, SystemTime.wallNow() - now, fresh);
        }
    }

    /** Notes when the client asks for the next server to try, and what it negotiates with those that it comes to. */
    private static final class Attempts implements HostProvider {

        private final HostProvider servers;
        private volatile Attempt last = Attempt.now(true);
        private final AtomicLong count = new AtomicLong();
        private volatile @Nullable Shortest shortest;
        /** Not yet known when the first attempt is made, which creates the session, and perhaps when it succeeds. */
        private volatile @Nullable ZooKeeper client;

        // guards: connectedBefore, first
        private final ReentrantLock lock = new ReentrantLock();
        private boolean connectedBefore;
        /** When the first attempt since the last connection was made: with Netty, a connection may be told of after a later one. */
        private @Nullable Attempt first = last;

        Attempts(HostProvider servers) {
            this.servers = servers;
        }

        @Override
        public InetSocketAddress next(long spinDelay) {
            ZooKeeper known = client;
            // before the pause that the last line may make: earlier is safe
            noteAttempt(Attempt.now(known == null ? count.get() == 0 : known.getSessionId() == 0));
            // last: a reader that sees the new number sees the new attempt
            count.incrementAndGet();
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
                last = attempt;
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
            int millis = handle.getSessionTimeout();
            Shortest before = shortest;
            if (before == null || millis < before.millis()) {
                shortest = new Shortest(millis, (first == null ? last : first).nanos());
            }
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
