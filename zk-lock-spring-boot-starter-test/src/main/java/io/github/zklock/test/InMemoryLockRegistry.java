package io.github.zklock.test;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockInspector;
import io.github.zklock.LockKind;
import io.github.zklock.LockListener;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistry;
import io.github.zklock.OnClose;
import io.github.zklock.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Locks for tests: the semantics of the real ones, without a server, and with misfortune on demand. Thread-safe.
 *
 * <p>It stands for one process. {@link #InMemoryLockRegistry()} is a cluster of one; for several processes, or an outage
 * of all, see {@link InMemoryLockCluster}.
 */
public final class InMemoryLockRegistry implements LockRegistry, AutoCloseable {

    private final Member member;
    private final Acquirer acquirer;
    private final Inspection inspection;
    private final OnClose onClose;

    /** The only process of a cluster of its own. */
    public InMemoryLockRegistry() {
        this(new InMemoryLockCluster().ensemble(), builder());
    }

    private InMemoryLockRegistry(Ensemble ensemble, Builder builder) {
        Listeners listeners = new Listeners(ensemble.workers());
        builder.listeners.forEach(listeners::add);
        this.member = ensemble.ask(() -> {
            Member made = new Member(ensemble, builder.settings(ensemble), listeners);
            made.join();
            return made;
        });
        this.acquirer = new Acquirer(member);
        this.inspection = new Inspection(member);
        this.onClose = builder.onClose;
    }

    /** For a process that differs from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public ClusterLock lock(String name) {
        return new MemoryLock(LockName.of(name), LockKind.EXCLUSIVE, acquirer);
    }

    @Override
    public ClusterReadWriteLock readWriteLock(String name) {
        return new MemoryReadWriteLock(LockName.of(name), acquirer);
    }

    @Override
    public ClusterSemaphore semaphore(String name, int permits) {
        return new MemorySemaphore(LockName.of(name), permits, acquirer, inspection);
    }

    @Override
    public LockInspector inspector() {
        return inspection;
    }

    @Override
    public Registration addListener(LockListener listener) {
        return member.listeners().add(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Ends the session of this process, as if the cluster had not heard of it for too long: what it holds is lost, and
     * who waits queues anew, behind everybody else.
     */
    public void loseSession() {
        member.ensemble().run(member::expire);
    }

    /**
     * Cuts this process off from the cluster: what it holds is suspended, and lost once the session timeout has passed;
     * until then it keeps others out. Does nothing if it is cut off.
     */
    public void suspend() {
        member.ensemble().run(member::suspend);
    }

    /**
     * Connects this process again: what it has not lost meanwhile is held again, and what it has released is seen by the
     * others. Does nothing if it is connected.
     */
    public void resume() {
        member.ensemble().run(member::resume);
    }

    /**
     * Rejects new requests and those that wait. Each lock that is held stays with its holder until the holder releases
     * it, unless {@link Builder#onClose} says otherwise. If nothing is held, the process leaves the cluster; one that is
     * cut off keeps others out until its session timeout has passed. Idempotent.
     */
    @Override
    public void close() {
        member.ensemble().run(() -> member.close(onClose));
    }

    @Override
    public String toString() {
        return "InMemoryLockRegistry[" + member.settings().instance() + "]";
    }

    /** What a process is made of. Everything has a default. */
    public static final class Builder {

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
                        "The instance name is empty; name the process, or leave it to the default");
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

        /** The longest time for which a lock may be held: it is lost then. No limit unless set. */
        public Builder maxHold(Duration limit) {
            policy = forAll().maxHold(Objects.requireNonNull(limit, "limit"));
            return this;
        }

        /** Warns of a lock that is held for longer. One minute unless set. */
        public Builder holdWarning(Duration threshold) {
            policy = forAll().holdWarning(Objects.requireNonNull(threshold, "threshold"));
            return this;
        }

        /**
         * The policy of each lock, where one for all does not do; the order stays first come first served, whatever its
         * hand-off. Excludes {@link #maxHold} and {@link #holdWarning}.
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
            return new InMemoryLockRegistry(joined.ensemble(), this);
        }

        private Settings settings(Ensemble ensemble) {
            String name = instance == null ? ensemble.nextInstance() : instance;
            return new Settings(name, sessionTimeout, connectionTimeout, policies());
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
                throw new IllegalStateException(
                        "A registry was given a policy by name, and a maximum hold or hold warning"
                                + " for all locks as well; leave these to the policy");
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
