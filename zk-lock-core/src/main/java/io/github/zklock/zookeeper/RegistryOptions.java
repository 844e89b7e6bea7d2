package io.github.zklock.zookeeper;

import io.github.zklock.DeadlockReaction;
import io.github.zklock.HandOff;
import io.github.zklock.LockListener;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.OnClose;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.engine.EngineRegistry;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.session.SeatBudget;
import io.github.zklock.zookeeper.internal.session.Settings;
import io.github.zklock.zookeeper.internal.transport.AccessLists;
import io.github.zklock.zookeeper.internal.transport.CuratorWire;
import io.github.zklock.zookeeper.internal.transport.LockClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The options of the builder, which are checked when they are set, and the start of the registry with them. */
final class RegistryOptions {

    private static final Logger LOG = EngineLog.of(RegistryOptions.class);

    private static final int ATTEMPTS = 3;
    private static final long LEAST_BUDGET = 1024;
    private static final Duration SHORTEST_SESSION = Duration.ofMillis(100);

    private @Nullable String connectString;
    private @Nullable CuratorFramework client;
    private Duration sessionTimeout = Duration.ofSeconds(20);
    private Duration connectionTimeout = Duration.ofSeconds(5);
    private Duration firstBackoff = Duration.ofMillis(50);
    private Duration maxBackoff = Duration.ofSeconds(1);
    private String basePath = "/locks";
    private @Nullable String instance;
    /** The policy of all locks; null while no option of it is set. */
    private @Nullable LockPolicy policy;

    private @Nullable Function<? super LockName, LockPolicy> policyByName;
    private @Nullable ACLProvider acls;
    private boolean closeOnExit = true;
    private OnClose onClose = OnClose.KEEP_HELD;
    private DeadlockReaction lockOrder = DeadlockReaction.IGNORE;
    private DeadlockReaction onDeadlock = DeadlockReaction.WARN;
    private long seatBudget = SeatBudget.DEFAULT_BYTES;
    private final List<LockListener> listeners = new ArrayList<>();

    void connectString(String servers) {
        if (servers.isBlank()) {
            throw new IllegalArgumentException("The connect string is empty; name the servers as host:port,host:port");
        }
        connectString = servers;
    }

    void client(CuratorFramework existing) {
        client = Objects.requireNonNull(existing, "client");
    }

    void sessionTimeout(Duration timeout) {
        sessionTimeout = positiveMillis("session timeout", timeout);
        if (timeout.compareTo(SHORTEST_SESSION) < 0) {
            throw new IllegalArgumentException("The session timeout " + Words.of(timeout)
                    + " is too short: a pause of the JVM or of the network would end the session; use 4 s or more in"
                    + " production, and at least " + Words.of(SHORTEST_SESSION) + " in tests");
        }
    }

    void connectionTimeout(Duration timeout) {
        connectionTimeout = positiveMillis("connection timeout", timeout);
    }

    void retry(Duration first, Duration longest) {
        firstBackoff = positiveMillis("first retry pause", first);
        maxBackoff = positiveMillis("longest retry pause", longest);
        if (first.compareTo(longest) > 0) {
            throw new IllegalArgumentException("The first retry pause " + Words.of(first) + " exceeds the longest one "
                    + Words.of(longest)
                    + "; use a shorter first pause or a longer longest pause");
        }
    }

    void basePath(String path) {
        Objects.requireNonNull(path, "path");
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(
                    "Base path '" + path + "' is not a ZooKeeper path: " + refused.getMessage()
                            + "; use an absolute path such as /locks",
                    refused);
        }
        basePath = path;
    }

    void instance(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "The instance name is empty; set a name, or do not set it to use the default");
        }
        instance = name;
    }

    void handOff(HandOff handOff) {
        policy = forAll().handOff(Objects.requireNonNull(handOff, "handOff"));
    }

    void maxHold(Duration limit) {
        policy = forAll().maxHold(Objects.requireNonNull(limit, "limit"));
    }

    void holdWarning(Duration threshold) {
        policy = forAll().holdWarning(Objects.requireNonNull(threshold, "threshold"));
    }

    void policy(Function<? super LockName, LockPolicy> byName) {
        policyByName = Objects.requireNonNull(byName, "byName");
    }

    void acl(ACLProvider provider) {
        acls = Objects.requireNonNull(provider, "acls");
    }

    void closeOnExit(boolean wanted) {
        closeOnExit = wanted;
    }

    void seatBudget(long bytes) {
        if (bytes < LEAST_BUDGET) {
            throw new IllegalArgumentException("The seat budget of " + bytes + " bytes is too small for a lock; use "
                    + LEAST_BUDGET + " bytes or more");
        }
        if (bytes > SeatBudget.MOST_BY_DEFAULT) {
            LOG.warn(
                    "The seat budget of {} bytes exceeds {} bytes: the servers cannot close a session that uses it unless"
                            + " jute.maxbuffer is larger than the budget on each of them",
                    bytes,
                    SeatBudget.MOST_BY_DEFAULT);
        }
        seatBudget = bytes;
    }

    void onClose(OnClose held) {
        onClose = Objects.requireNonNull(held, "held");
    }

    void onDeadlock(DeadlockReaction reaction) {
        onDeadlock = Objects.requireNonNull(reaction, "reaction");
    }

    void lockOrder(DeadlockReaction reaction) {
        lockOrder = Objects.requireNonNull(reaction, "reaction");
    }

    void listener(LockListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    EngineRegistry start() {
        CuratorFramework foreign = client;
        String servers = connectString;
        if ((foreign == null) == (servers == null)) {
            throw new IllegalStateException("A registry needs either a connect string or a client, but "
                    + (foreign == null ? "neither is set" : "both are set"));
        }
        if (foreign != null && foreign.getState() != CuratorFrameworkState.STARTED) {
            throw new IllegalStateException("The client is " + foreign.getState() + "; start it before it is used");
        }
        Function<? super LockName, LockPolicy> policies = policies();
        OwnerDescription owner = owner();
        CuratorFramework used = foreign == null ? ownClient(Objects.requireNonNull(servers)) : foreign;
        AccessLists lists = acls == null ? null : new AccessLists(acls, used.getNamespace(), basePath);
        boolean own = foreign == null;
        LockClient locks = new LockClient(used, own);
        boolean started = false;
        try {
            EngineRegistry registry = new EngineRegistry(
                    new Settings(basePath, connectionTimeout, firstBackoff, maxBackoff, owner, seatBudget),
                    new EngineRegistry.Options(
                            policies, lists, listeners, own, onClose, closeOnExit, lockOrder, onDeadlock),
                    (run, blocking) -> new CuratorWire(locks, basePath, lists, run, blocking));
            started = true;
            return registry;
        } finally {
            if (own && !started) {
                used.close();
            }
        }
    }

    private LockPolicy forAll() {
        return policy == null ? LockPolicy.defaults() : policy;
    }

    private Function<? super LockName, LockPolicy> policies() {
        Function<? super LockName, LockPolicy> byName = policyByName;
        if (byName == null) {
            return new EngineRegistry.SamePolicy(forAll());
        }
        if (policy != null) {
            throw new IllegalStateException(
                    "A policy by name is set together with a hand-off, maximum hold or hold warning for"
                            + " all locks; set these in the policy");
        }
        return byName;
    }

    private CuratorFramework ownClient(String servers) {
        // a connection that takes longer than the session timeout is useless: the session has expired by then
        Duration connection = connectionTimeout.compareTo(sessionTimeout) < 0 ? connectionTimeout : sessionTimeout;
        var builder = ZooKeeperLockRegistry.clientBuilder()
                .connectString(servers)
                .sessionTimeoutMs(Math.toIntExact(sessionTimeout.toMillis()))
                .connectionTimeoutMs(Math.toIntExact(connection.toMillis()))
                .retryPolicy(new ExponentialBackoffRetry(
                        Math.toIntExact(firstBackoff.toMillis()), ATTEMPTS, Math.toIntExact(maxBackoff.toMillis())));
        if (acls != null) {
            builder.aclProvider(acls);
        }
        CuratorFramework own = builder.build();
        own.start();
        return own;
    }

    private OwnerDescription owner() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            host = "unknown";
        }
        long pid = ProcessHandle.current().pid();
        return new OwnerDescription(instance == null ? host + "-" + pid : instance, host, pid);
    }

    private static Duration positiveMillis(String what, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("The " + what + " " + Words.of(value)
                    + " is shorter than a millisecond; use a millisecond or more");
        }
        if (value.compareTo(Duration.ofMillis(Integer.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException(
                    "The " + what + " " + Words.of(value) + " is longer than 24 days; use a shorter time");
        }
        return value;
    }
}
