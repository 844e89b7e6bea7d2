package io.github.zklock.zookeeper;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockListener;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.OnClose;
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
 * Locks on ZooKeeper: each a queue of sequential ephemeral nodes, compatible with Curator's {@code InterProcessMutex} and
 * {@code InterProcessReadWriteLock} on the same path. Thread-safe. Built at once and connected in the background, so that it can be made while ZooKeeper is
 * down.
 *
 * <p>Close it after the code that uses it. A lock that is still held then stays with its holder, unless {@link
 * Builder#onClose} says otherwise: the registry rejects new requests, and its session lives until the last holder has
 * released its lock or the process ends.
 */
public final class ZooKeeperLockRegistry implements LockRegistry, AutoCloseable {

    private final EngineRegistry registry;

    private ZooKeeperLockRegistry(EngineRegistry registry) {
        this.registry = registry;
    }

    /** A registry on servers of its own choice, or on a client that exists. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * A builder for a Curator client whose sessions tell of their end before they send it. A client built otherwise
     * works as well; then, when somebody closes or resets it while locks are held, their holders are told a moment too
     * late, and the first grant on a fresh session takes up to the session timeout.
     *
     * <p>Not possible with such a client: changing the ensemble's members ({@code reconfig}).
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

    /** Closes the registry without a time to drain, as {@link #close(Duration)} does. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /**
     * Rejects new requests and those that wait with {@link LockRegistryClosedException}, waits up to {@code drain} until
     * no lock is held, removes all seats that nobody holds, and waits until ZooKeeper has deleted their nodes: at most the
     * connection timeout, also if interrupted. Then it closes the client if that is the registry's own. Idempotent.
     *
     * <p>A lock that is still held after {@code drain} stays with its holder ({@link OnClose#KEEP_HELD}, the default).
     * Its handle stays valid: {@link LockHandle#isHeld()} is true while the session is proven, a loss is reported as
     * ever, and an owner may re-enter it. This method returns, and the registry keeps its session, its client and its
     * daemon threads until the last of these locks is released; then it closes them. If the process ends first, ZooKeeper
     * releases the locks when the session expires. With {@link OnClose#RELEASE_HELD} the registry takes each lock from its
     * holder, reports the loss, and deletes its node.
     *
     * <p>Not guaranteed with a client of yours: its session ends when you close it, and ZooKeeper releases all locks at
     * that moment. Close it after {@link #terminated()}.
     */
    public void close(Duration drain) {
        registry.close(drain);
    }

    /**
     * Completes when this registry is closed and none of its locks is held any more: from then on, closing the client
     * gives no lock away. Completes before {@link #close(Duration)} returns if no lock is held then. Cannot be completed
     * by the caller.
     *
     * <pre>{@code
     * registry.close(Duration.ofSeconds(10));
     * registry.terminated().thenRun(client::close);
     * }</pre>
     *
     * <p>Not guaranteed: that it ever completes, as a holder may never release its lock.
     */
    public CompletionStage<Void> terminated() {
        return registry.terminated();
    }

    /** What a registry is made of. Everything but the servers has a default. */
    public static final class Builder {

        private final RegistryOptions options = new RegistryOptions();

        private Builder() {}

        /** The servers, as {@code host:port,host:port}, for a client of the registry's own. */
        public Builder connectString(String servers) {
            options.connectString(servers);
            return this;
        }

        /** A started client, which the registry uses and never closes. Excludes {@link #connectString}. */
        public Builder client(CuratorFramework client) {
            options.client(client);
            return this;
        }

        /** How long the servers keep this process's locks after they last heard of it. 20 seconds unless set. */
        public Builder sessionTimeout(Duration timeout) {
            options.sessionTimeout(timeout);
            return this;
        }

        /** How long a connection may take, and how long those who only ask wait for an answer. 5 seconds unless set. */
        public Builder connectionTimeout(Duration timeout) {
            options.connectionTimeout(timeout);
            return this;
        }

        /** The pauses between attempts of a recovery: from {@code first}, doubling, to {@code longest}. */
        public Builder retry(Duration first, Duration longest) {
            options.retry(first, longest);
            return this;
        }

        /** The folder of all locks. {@code /locks} unless set. */
        public Builder basePath(String path) {
            options.basePath(path);
            return this;
        }

        /** Names this process in the queues. The host and the process id unless set. */
        public Builder instance(String name) {
            options.instance(name);
            return this;
        }

        /** How the threads of this process share a lock. */
        public Builder handOff(HandOff handOff) {
            options.handOff(handOff);
            return this;
        }

        /** Takes a lock from a holder that has it for longer. Unlimited unless set. */
        public Builder maxHold(Duration limit) {
            options.maxHold(limit);
            return this;
        }

        /** Warns, with the holder's stack, of a lock that is held for longer. One minute unless set. */
        public Builder holdWarning(Duration threshold) {
            options.holdWarning(threshold);
            return this;
        }

        /**
         * The policy of each lock, where one for all does not do. Excludes {@link #handOff}, {@link #maxHold} and {@link
         * #holdWarning}.
         *
         * <p>Asked on the thread of whoever asks for a lock, and not again while this process holds that lock, waits for
         * it or keeps its seat; at the same instant possibly on several threads, of whose answers one counts. If it
         * throws or returns null, that lock is not acquired: the caller gets an {@link IllegalStateException} that says
         * why.
         */
        public Builder policy(Function<? super LockName, LockPolicy> byName) {
            options.policy(byName);
            return this;
        }

        /**
         * The access lists of the nodes. Unless set, nodes get the list of the base path, which the client makes if it
         * does not exist.
         */
        public Builder acl(ACLProvider acls) {
            options.acl(acls);
            return this;
        }

        /**
         * The bytes that the paths of this registry's nodes may have together: 512 KiB unless set. Beyond that, a request
         * that needs a node of its own fails with {@link LockUnavailableException}; re-entry and the hand-off among the
         * threads of this process need none. ZooKeeper deletes the nodes of a session in one transaction; if that exceeds
         * {@code jute.maxbuffer} (1,048,575 bytes unless set), the ensemble fails and cannot be started again. More than
         * about a million bytes needs a larger {@code jute.maxbuffer} on each server first.
         *
         * <p>Not counted: nodes that other code, or another registry, creates on the same client.
         *
         * @throws IllegalArgumentException if it is less than 1,024
         */
        public Builder seatBudget(long bytes) {
            options.seatBudget(bytes);
            return this;
        }

        /**
         * What the close of the registry does with locks that are still held when its time to drain is over, also when
         * the JVM ends. {@link OnClose#KEEP_HELD} unless set.
         */
        public Builder onClose(OnClose held) {
            options.onClose(held);
            return this;
        }

        /** As {@link LockRegistry#addListener}, from the first event on. */
        public Builder listener(LockListener listener) {
            options.listener(listener);
            return this;
        }

        /**
         * Whether the registry closes itself, without a time to drain, when the JVM ends. True unless set; false is for
         * containers that close it in an order of their own.
         */
        public Builder closeOnExit(boolean wanted) {
            options.closeOnExit(wanted);
            return this;
        }

        /**
         * Makes the registry.
         *
         * @throws IllegalStateException if there is neither a connect string nor a client, or both; or if there is a
         *     policy by name as well as one for all locks
         */
        public ZooKeeperLockRegistry build() {
            return new ZooKeeperLockRegistry(options.start());
        }
    }
}
