package io.github.zklock.test;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.HandOff;
import io.github.zklock.LockInspector;
import io.github.zklock.LockListener;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistry;
import io.github.zklock.OnClose;
import io.github.zklock.Registration;
import io.github.zklock.zookeeper.internal.engine.EngineRegistry;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.session.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Locks for tests: those of production on servers in memory, with misfortune on demand. Thread-safe.
 *
 * <p>It stands for one process. {@link #InMemoryLockRegistry()} is a cluster of one; for several processes, or an outage
 * of all, see {@link InMemoryLockCluster}.
 */
public final class InMemoryLockRegistry implements LockRegistry, AutoCloseable {

    /** Ten years: sums of such times do not overflow. */
    private static final long LONGEST_SESSION_NANOS = Nanos.of(Duration.ofDays(3_650));

    private final EngineRegistry registry;
    private final MemoryClient client;
    private final String instance;

    /** The only process of a cluster of its own. */
    public InMemoryLockRegistry() {
        this(new InMemoryLockCluster().servers(), builder());
    }

    private InMemoryLockRegistry(MemoryServers servers, Builder builder) {
        this.instance = builder.instance == null ? servers.nextInstance() : builder.instance;
        Settings settings = builder.settings(instance);
        EngineRegistry.Options options = builder.options();
        this.client = new MemoryClient(servers, Math.min(Nanos.of(builder.sessionTimeout), LONGEST_SESSION_NANOS));
        servers.join(client);
        this.registry = new EngineRegistry(settings, options, client);
        client.whenClusterCloses(this::close);
        client.awaitSettled();
    }

    /** For a process that differs from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public ClusterLock lock(String name) {
        return registry.lock(name);
    }

    @Override
    public ClusterReadWriteLock readWriteLock(String name) {
        return registry.readWriteLock(name);
    }

    @Override
    public ClusterSemaphore semaphore(String name, int permits) {
        return registry.semaphore(name, permits);
    }

    @Override
    public LockInspector inspector() {
        return registry.inspector();
    }

    @Override
    public Registration addListener(LockListener listener) {
        return registry.addListener(listener);
    }

    /**
     * Ends the session of this process, as if the cluster had not heard of it for too long: what it holds is lost, and
     * who waits queues anew, behind everybody else.
     */
    public void loseSession() {
        client.loseSession();
    }

    /**
     * Cuts this process off from the cluster: what it holds is suspended, and lost once the session timeout has passed;
     * until then it keeps others out. Does nothing if it is cut off.
     */
    public void suspend() {
        client.suspend(true);
    }

    /**
     * Connects this process again: what it has not lost meanwhile is held again, and what it has released is seen by the
     * others. Does nothing if it is connected.
     */
    public void resume() {
        client.suspend(false);
    }

    /**
     * Rejects new requests and those that wait. Each lock that is held stays with its holder until the holder releases
     * it, unless {@link Builder#onClose} says otherwise. If nothing is held, the process leaves the cluster; one that is
     * cut off keeps others out until its session timeout has passed. Idempotent.
     */
    @Override
    public void close() {
        registry.close(Duration.ZERO);
    }

    @Override
    public String toString() {
        return "InMemoryLockRegistry[" + instance + "]";
    }

    /** What a process is made of. Everything has a default. */
    public static final class Builder {

        private static final Duration FIRST_BACKOFF = Duration.ofMillis(1);
        private static final Duration MAX_BACKOFF = Duration.ofMillis(50);
        /** No server has to carry the nodes of a session in one message. */
        private static final long UNLIMITED_BYTES = Long.MAX_VALUE / 1024;

        private final List<LockListener> listeners = new ArrayList<>();
        private @Nullable InMemoryLockCluster cluster;
        private @Nullable String instance;
        /** For all locks; null while nothing was said about them. */
        private @Nullable LockPolicy policy;

        private @Nullable Function<? super LockName, LockPolicy> policyByName;
        private Duration sessionTimeout = Duration.ofSeconds(20);
        private Duration connectionTimeout = Duration.ofMillis(500);
        private OnClose onClose = OnClose.KEEP_HELD;

        private Builder() {}

        /** The cluster to join. One of its own unless set. */
        public Builder cluster(InMemoryLockCluster joined) {
            cluster = Objects.requireNonNull(joined, "cluster");
            return this;
        }

        /** Names this process in queues and messages. {@code process-1} and so on unless set. */
        public Builder instance(String name) {
            if (name.isBlank()) {
                throw new IllegalArgumentException(
                        "The instance name is empty; set a name, or do not set it to use the default");
            }
            instance = name;
            return this;
        }

        /** How long the cluster keeps this process's locks while it is cut off. 20 seconds unless set. */
        public Builder sessionTimeout(Duration timeout) {
            sessionTimeout = positive("session timeout", timeout);
            return this;
        }

        /** How long those who only ask wait for a connection. Half a second unless set. */
        public Builder connectionTimeout(Duration timeout) {
            connectionTimeout = positive("connection timeout", timeout);
            return this;
        }

        /** How the threads of this process share a lock. */
        public Builder handOff(HandOff handOff) {
            policy = forAll().handOff(Objects.requireNonNull(handOff, "handOff"));
            return this;
        }

        /** The longest time for which a lock may be held: it is lost then. No limit unless set. */
        public Builder maxHold(Duration limit) {
            policy = forAll().maxHold(Objects.requireNonNull(limit, "limit"));
            return this;
        }

        /**
         * Warns of a lock that is held for longer. One minute unless set. Each eighth of the session timeout is looked for such locks.
         */
        public Builder holdWarning(Duration threshold) {
            policy = forAll().holdWarning(Objects.requireNonNull(threshold, "threshold"));
            return this;
        }

        /**
         * The policy of each lock, where one for all does not do. Excludes {@link #handOff}, {@link #maxHold} and {@link
         * #holdWarning}.
         *
         * <p>Asked on the thread of whoever asks for a lock, and not again while this process holds that lock or waits
         * for it; at the same instant possibly on several threads. If it throws or returns null, that lock is not
         * acquired: the caller gets an {@link IllegalStateException} that says why.
         */
        public Builder policy(Function<? super LockName, LockPolicy> byName) {
            policyByName = Objects.requireNonNull(byName, "byName");
            return this;
        }

        /** What the close of the registry does with locks that are held then. {@link OnClose#KEEP_HELD} unless set. */
        public Builder onClose(OnClose held) {
            onClose = Objects.requireNonNull(held, "held");
            return this;
        }

        /** Tells the listener of every event, from the first one on. */
        public Builder listener(LockListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * The process, as a member of its cluster.
         *
         * @throws IllegalStateException if the cluster is closed; or if there is a policy by name as well as one for all
         *     locks
         */
        public InMemoryLockRegistry build() {
            InMemoryLockCluster joined = cluster == null ? new InMemoryLockCluster() : cluster;
            return new InMemoryLockRegistry(joined.servers(), this);
        }

        private Settings settings(String name) {
            OwnerDescription owner =
                    new OwnerDescription(name, "memory", ProcessHandle.current().pid());
            return new Settings(
                    MemoryServers.BASE_PATH, connectionTimeout, FIRST_BACKOFF, MAX_BACKOFF, owner, UNLIMITED_BYTES);
        }

        private EngineRegistry.Options options() {
            return new EngineRegistry.Options(policies(), null, listeners, true, onClose, false);
        }

        private LockPolicy forAll() {
            return policy == null ? LockPolicy.defaults() : policy;
        }

        private Function<? super LockName, LockPolicy> policies() {
            Function<? super LockName, LockPolicy> byName = policyByName;
            if (byName == null) {
                LockPolicy same = forAll();
                return name -> same;
            }
            if (policy != null) {
                throw new IllegalStateException("A policy by name is set together with a hand-off, maximum hold or hold"
                        + " warning for all locks as well; set these in the policy");
            }
            return byName;
        }

        private static Duration positive(String what, Duration value) {
            if (value.isZero() || value.isNegative()) {
                throw new IllegalArgumentException(
                        "The " + what + " " + value + " is not positive; use PT0.001S or more");
            }
            return value;
        }
    }
}
