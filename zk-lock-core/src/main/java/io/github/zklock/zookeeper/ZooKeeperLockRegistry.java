package io.github.zklock.zookeeper;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterJob;
import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.DeadlockReaction;
import io.github.zklock.HandOff;
import io.github.zklock.Handle;
import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockListener;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.OnClose;
import io.github.zklock.OncePer;
import io.github.zklock.Registration;
import io.github.zklock.zookeeper.internal.engine.EngineRegistry;
import io.github.zklock.zookeeper.internal.transport.ObservedZooKeeper;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;

/**
 * A registry of locks on ZooKeeper. Each lock is a queue of sequential ephemeral nodes, which is compatible with
 * Curator's {@code InterProcessMutex} and {@code InterProcessReadWriteLock} on the same path. Thread-safe.
 *
 * <p>{@link Builder#build()} returns at once and the registry connects in the background, so you can create it while
 * ZooKeeper is down.
 *
 * <p>Close the registry after the code that uses it. A lock that is still held then stays with its holder, unless
 * {@link Builder#onClose} is set otherwise. The registry rejects new requests, and its session stays open until the
 * last holder has released its lock or the process ends.
 */
public final class ZooKeeperLockRegistry implements LockRegistry, AutoCloseable {

    private final EngineRegistry registry;

    private ZooKeeperLockRegistry(EngineRegistry registry) {
        this.registry = registry;
    }

    /** Returns a builder of a registry that either creates a client of its own or uses an existing one. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder of a Curator client whose session a registry can share: the client records when its session was
     * created, and reports the end of the session before it sends the close to the servers. If the registry is built
     * later than a quarter of the session timeout after the client has connected, the registry opens a session of its
     * own, as with any other client ({@link Builder#client}).
     *
     * <p>Not supported by a client of this builder: changes of the ensemble's members ({@code reconfig}).
     */
    public static CuratorFrameworkFactory.Builder clientBuilder() {
        return CuratorFrameworkFactory.builder().zookeeperFactory(ObservedZooKeeper.factory());
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

    /** Closes the registry without a drain time, as {@link #close(Duration)} does. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /**
     * Closes the registry. It rejects new and waiting requests with {@link LockRegistryClosedException}, waits up to
     * {@code drain} until no lock is held, and removes all seats that are not held. Then it waits until ZooKeeper has
     * deleted their nodes, at most for the connection timeout, also if the thread is interrupted. Last, it closes the
     * client if the registry created it. Idempotent.
     *
     * <p>A lock that is still held after {@code drain} stays with its holder ({@link OnClose#KEEP_HELD}, the default).
     * Its handle stays valid: {@link LockHandle#isHeld()} is true while the session is proven, a loss is reported as
     * before, and an owner may re-enter the lock. This method returns, and the registry keeps its session, its client
     * and its daemon threads until the last of these locks is released; then it closes them, except a client that you
     * passed. If the process ends first, ZooKeeper releases the locks when the session expires. With {@link
     * OnClose#RELEASE_HELD} the registry takes each lock from its holder, reports the loss, and deletes its node.
     *
     * <p>If the registry shares the session of your client, and the answer to a request for a lock was lost on it, its
     * threads also stay until that session ends, because a server may still execute the request.
     *
     * <p>Not guaranteed if you passed your own client: when you close the client, the session of the locks ends as well,
     * and ZooKeeper releases all locks. Close the client after {@link #terminated()}.
     *
     * @throws IllegalArgumentException if {@code drain} is negative
     */
    public void close(Duration drain) {
        registry.close(drain);
    }

    /**
     * Returns a stage that completes when this registry is closed and none of its locks is held any more. From then on,
     * closing the client releases no held lock. If no lock is held, the stage completes before {@link #close(Duration)}
     * returns. The caller cannot complete the stage.
     *
     * <pre>{@code
     * registry.close(Duration.ofSeconds(10));
     * registry.terminated().thenRun(client::close);
     * }</pre>
     *
     * <p>Not guaranteed: that the stage ever completes, because a holder may never release its lock.
     */
    public CompletionStage<Void> terminated() {
        return registry.terminated();
    }

    /**
     * The options of a registry. Set either {@link #connectString} or {@link #client}; all other options have defaults.
     */
    public static final class Builder {

        private final RegistryOptions options = new RegistryOptions();

        private Builder() {}

        /**
         * Sets the servers, as {@code host:port,host:port}. The registry then creates and closes a client of its own.
         * Excludes {@link #client}.
         *
         * @throws IllegalArgumentException if the string is blank
         */
        public Builder connectString(String servers) {
            options.connectString(servers);
            return this;
        }

        /**
         * Sets a started client, which the registry uses and never closes. Excludes {@link #connectString}.
         *
         * <p>The registry opens a session of its own for the locks, because it can prove a session within a few round
         * trips only if it has observed the session from its start. That session has the servers, the session timeout,
         * the credentials and the TLS and SASL configuration of the client, and ends when the client is closed. It does
         * not use a {@code ZookeeperFactory} of the client. The client creates the base path, with its own access
         * lists. The session of a new client of {@link #clientBuilder()} is shared instead.
         */
        public Builder client(CuratorFramework client) {
            options.client(client);
            return this;
        }

        /**
         * Sets the ZooKeeper session timeout, after which the servers release the locks of an unreachable process.
         * Default: 20 seconds. Without effect on an existing client.
         *
         * @throws IllegalArgumentException if the timeout is shorter than a millisecond or longer than 24 days
         */
        public Builder sessionTimeout(Duration timeout) {
            options.sessionTimeout(timeout);
            return this;
        }

        /**
         * Sets the limit for establishing a connection, and for the answer to a request that does not wait for a
         * holder. Default: 5 seconds.
         *
         * @throws IllegalArgumentException if the timeout is shorter than a millisecond or longer than 24 days
         */
        public Builder connectionTimeout(Duration timeout) {
            options.connectionTimeout(timeout);
            return this;
        }

        /**
         * Sets the pauses between the attempts of a recovery. They start with {@code first} and double up to {@code
         * longest}. Default: 50 milliseconds to one second.
         *
         * @throws IllegalArgumentException if a pause is shorter than a millisecond or longer than 24 days, or if
         *     {@code first} exceeds {@code longest}
         */
        public Builder retry(Duration first, Duration longest) {
            options.retry(first, longest);
            return this;
        }

        /**
         * Sets the folder of all locks. Default: {@code /locks}.
         *
         * @throws IllegalArgumentException if it is not an absolute ZooKeeper path
         */
        public Builder basePath(String path) {
            options.basePath(path);
            return this;
        }

        /**
         * Sets the name of this process in the queues. Default: the host name and the process id.
         *
         * @throws IllegalArgumentException if the name is blank
         */
        public Builder instance(String name) {
            options.instance(name);
            return this;
        }

        /**
         * Sets how the threads of this process share a lock. Default: that of {@link LockPolicy#defaults()}. Excludes
         * {@link #policy}.
         */
        public Builder handOff(HandOff handOff) {
            options.handOff(handOff);
            return this;
        }

        /**
         * Sets the time after which the registry takes a lock from its holder. Default: no limit. Excludes {@link
         * #policy}.
         *
         * @throws IllegalArgumentException if the limit is shorter than a millisecond or longer than 24 days
         */
        public Builder maxHold(Duration limit) {
            options.maxHold(limit);
            return this;
        }

        /**
         * Sets the time after which the registry logs a warning with the holder's stack. Default: one minute. Excludes
         * {@link #policy}.
         *
         * @throws IllegalArgumentException if the threshold is shorter than a millisecond or longer than 24 days
         */
        public Builder holdWarning(Duration threshold) {
            options.holdWarning(threshold);
            return this;
        }

        /**
         * Sets a function that returns the policy of each lock, where locks need different policies. Excludes {@link
         * #handOff}, {@link #maxHold} and {@link #holdWarning}.
         *
         * <p>The function is called on the thread that requests a lock. It is not called again while this process holds
         * that lock, waits for it or keeps its seat. Several threads may call it at the same instant; one of the
         * results is used. If the function throws or returns null, the lock is not acquired: the caller gets an {@link
         * IllegalStateException} that states the reason. If the request has a limit and the function has not returned by
         * then, its thread is interrupted, and the lock is not acquired either.
         */
        public Builder policy(Function<? super LockName, LockPolicy> byName) {
            options.policy(byName);
            return this;
        }

        /**
         * Sets the access lists of the nodes. Default: nodes get the list of the base path. If the base path does not
         * exist, the client creates it.
         *
         * <p>The provider is called for the nodes of a lock on the thread that requests it first. If it blocks beyond the
         * limit of that request, its thread is interrupted, and the lock is not acquired.
         */
        public Builder acl(ACLProvider acls) {
            options.acl(acls);
            return this;
        }

        /**
         * Sets the number of bytes that the paths of this registry's nodes may have together. Default: 512 KiB. A
         * request for a further node fails with {@link LockUnavailableException}. Re-entry and the hand-off among the
         * threads of this process need no further node. ZooKeeper deletes the nodes of a session in one transaction. If
         * that transaction exceeds twice {@code jute.maxbuffer} (1,048,575 bytes by default), the ensemble fails and
         * cannot be started again. Before you set more than about a million bytes, raise {@code jute.maxbuffer} on each
         * server.
         *
         * <p>Not counted: nodes that other code, or another registry, creates on the same session.
         *
         * @throws IllegalArgumentException if the budget is less than 1,024 bytes
         */
        public Builder seatBudget(long bytes) {
            options.seatBudget(bytes);
            return this;
        }

        /**
         * Sets what the registry does on close, and when the JVM ends, with locks that are still held when the drain
         * time is over. Default: {@link OnClose#KEEP_HELD}.
         */
        public Builder onClose(OnClose held) {
            options.onClose(held);
            return this;
        }

        /** Sets what happens if nested locks are requested in contradictory orders. Default: {@link DeadlockReaction#IGNORE}. */
        public Builder lockOrder(DeadlockReaction reaction) {
            options.lockOrder(reaction);
            return this;
        }

        /** Sets what happens in case of a deadlock. Default: {@link DeadlockReaction#WARN}. */
        public Builder onDeadlock(DeadlockReaction reaction) {
            options.onDeadlock(reaction);
            return this;
        }

        /**
         * Adds a listener as {@link LockRegistry#addListener} does, but it receives all events from the first one on.
         */
        public Builder listener(LockListener listener) {
            options.listener(listener);
            return this;
        }

        /**
         * Sets whether the registry closes itself, without a drain time, when the JVM ends. Default: true. Use false in
         * a container that closes the registry in an order of its own.
         */
        public Builder closeOnExit(boolean wanted) {
            options.closeOnExit(wanted);
            return this;
        }

        /**
         * Creates and starts the registry. Does not wait for a connection.
         *
         * @throws IllegalStateException if neither a connect string nor a client is set, or both; if the client is not
         *     started; or if a policy by name is set together with one for all locks
         */
        public ZooKeeperLockRegistry build() {
            return new ZooKeeperLockRegistry(options.start());
        }
    }
}
