package io.github.zklock.test;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterJob;
import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.DeadlockReaction;
import io.github.zklock.HandOff;
import io.github.zklock.Handle;
import io.github.zklock.Leadership;
import io.github.zklock.LockInspector;
import io.github.zklock.LockListener;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistry;
import io.github.zklock.OnClose;
import io.github.zklock.OncePer;
import io.github.zklock.Registration;
import io.github.zklock.internal.Words;
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
 * A lock registry for tests: the lock engine of production on servers in memory, with simulated failures. Thread-safe.
 *
 * <p>It represents one process. {@link #InMemoryLockRegistry()} creates a cluster with one process. For several
 * processes, or for an outage of the cluster, use {@link InMemoryLockCluster}.
 */
public final class InMemoryLockRegistry implements LockRegistry, AutoCloseable {

    /** Ten years: sums of such times do not overflow. */
    private static final long LONGEST_SESSION_NANOS = Nanos.of(Duration.ofDays(3_650));

    private final EngineRegistry registry;
    private final MemoryClient client;
    private final String instance;

    /** Creates the only process of a new cluster. */
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

    /** Returns a builder for a process with other than the default settings. */
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
    public Acquirable<Handle> allOf(ClusterLock... locks) {
        return registry.allOf(locks);
    }

    @Override
    public ClusterSemaphore semaphore(String name, int permits) {
        return registry.semaphore(name, permits);
    }

    @Override
    public ClusterJob job(String name, OncePer window) {
        return registry.job(name, window);
    }

    @Override
    public Leadership leadership(String name) {
        return registry.leadership(name);
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
     * Ends the session of this process, as if the cluster had received no heartbeat for the session timeout. Its locks
     * are lost. Its waiters queue again behind all other waiters.
     */
    public void loseSession() {
        client.loseSession();
    }

    /**
     * Cuts this process off from the cluster. Its locks are suspended, and lost after the session timeout. Until then
     * they exclude other processes. No effect if already cut off.
     */
    public void suspend() {
        client.suspend(true);
    }

    /**
     * Connects this process again. Locks that are not lost are held again. Releases that happened in the meantime take
     * effect for other processes. No effect if connected.
     */
    public void resume() {
        client.suspend(false);
    }

    /**
     * Rejects new and waiting requests. Each held lock stays with its holder until the holder releases it, unless
     * {@link Builder#onClose} is set otherwise. If no lock is held, the process leaves the cluster. The locks of a
     * process that is cut off exclude other processes until its session timeout is over. Idempotent.
     */
    @Override
    public void close() {
        registry.close(Duration.ZERO);
    }

    @Override
    public String toString() {
        return "InMemoryLockRegistry[" + instance + "]";
    }

    /** Settings of a process. All have a default. */
    public static final class Builder {

        private static final Duration FIRST_BACKOFF = Duration.ofMillis(1);
        private static final Duration MAX_BACKOFF = Duration.ofMillis(50);
        /** Unlimited: there is no server that has to send the nodes of a session in one message. */
        private static final long UNLIMITED_BYTES = Long.MAX_VALUE / 1024;

        private final List<LockListener> listeners = new ArrayList<>();
        private @Nullable InMemoryLockCluster cluster;
        private @Nullable String instance;
        /** The policy of all locks; null while none of its settings is set. */
        private @Nullable LockPolicy policy;

        private @Nullable Function<? super LockName, LockPolicy> policyByName;
        private Duration sessionTimeout = Duration.ofSeconds(20);
        private Duration connectionTimeout = Duration.ofMillis(500);
        private OnClose onClose = OnClose.KEEP_HELD;
        private DeadlockReaction lockOrder = DeadlockReaction.WARN;
        private DeadlockReaction onDeadlock = DeadlockReaction.WARN;

        private Builder() {}

        /** Sets the cluster to join. Default: a new cluster. */
        public Builder cluster(InMemoryLockCluster joined) {
            cluster = Objects.requireNonNull(joined, "cluster");
            return this;
        }

        /** Sets the name of this process in queues and messages. Default: {@code process-1} and so on. */
        public Builder instance(String name) {
            if (name.isBlank()) {
                throw new IllegalArgumentException(
                        "The instance name is empty; set a name, or do not set it to use the default");
            }
            instance = name;
            return this;
        }

        /**
         * Sets the time for which the cluster keeps the locks of this process while it is cut off. Default: 20 seconds.
         */
        public Builder sessionTimeout(Duration timeout) {
            sessionTimeout = positive("session timeout", timeout);
            return this;
        }

        /** Sets the limit for the answer to a request that does not wait for a holder. Default: half a second. */
        public Builder connectionTimeout(Duration timeout) {
            connectionTimeout = positive("connection timeout", timeout);
            return this;
        }

        /** Sets how the threads of this process share a lock. */
        public Builder handOff(HandOff handOff) {
            policy = forAll().handOff(Objects.requireNonNull(handOff, "handOff"));
            return this;
        }

        /** Sets the time after which a holder loses its lock. Default: no limit. */
        public Builder maxHold(Duration limit) {
            policy = forAll().maxHold(Objects.requireNonNull(limit, "limit"));
            return this;
        }

        /**
         * Sets the time after which a hold is logged as a warning. Default: one minute. Holds are checked every eighth
         * of the session timeout.
         */
        public Builder holdWarning(Duration threshold) {
            policy = forAll().holdWarning(Objects.requireNonNull(threshold, "threshold"));
            return this;
        }

        /**
         * Sets a function that returns the policy of each lock, where locks need different policies. Excludes {@link
         * #handOff}, {@link #maxHold} and {@link #holdWarning}.
         *
         * <p>The function is called on the thread that requests a lock. It is not called again while this process holds
         * that lock or waits for it. Several threads may call it at the same instant. If the function throws or returns
         * null, the lock is not acquired: the caller receives an {@link IllegalStateException} that states the reason.
         */
        public Builder policy(Function<? super LockName, LockPolicy> byName) {
            policyByName = Objects.requireNonNull(byName, "byName");
            return this;
        }

        /** Sets what the registry does on close with locks that are still held. Default: {@link OnClose#KEEP_HELD}. */
        public Builder onClose(OnClose held) {
            onClose = Objects.requireNonNull(held, "held");
            return this;
        }

        /** Sets what happens if nested locks are requested in contradictory orders. Default: {@link DeadlockReaction#WARN}. */
        public Builder lockOrder(DeadlockReaction reaction) {
            lockOrder = Objects.requireNonNull(reaction, "reaction");
            return this;
        }

        /** Sets what happens in case of a deadlock. Default: {@link DeadlockReaction#WARN}. */
        public Builder onDeadlock(DeadlockReaction reaction) {
            onDeadlock = Objects.requireNonNull(reaction, "reaction");
            return this;
        }

        /** Adds a listener that receives all events from the first one on. */
        public Builder listener(LockListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Creates the process as a member of its cluster.
         *
         * @throws IllegalStateException if the cluster is closed, or if both a policy by name and a policy for all
         *     locks are set
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
            return new EngineRegistry.Options(policies(), null, listeners, true, onClose, false, lockOrder, onDeadlock);
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
                        + " warning for all locks; set these in the policy");
            }
            return byName;
        }

        private static Duration positive(String what, Duration value) {
            if (value.isZero() || value.isNegative()) {
                throw new IllegalArgumentException(
                        "The " + what + " " + Words.of(value) + " is not positive; use 1 ms or more");
            }
            return value;
        }
    }
}
