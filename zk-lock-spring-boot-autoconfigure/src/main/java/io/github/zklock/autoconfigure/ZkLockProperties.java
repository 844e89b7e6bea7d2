package io.github.zklock.autoconfigure;

import io.github.zklock.DeadlockReaction;
import io.github.zklock.HandOff;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.OnClose;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.transaction.InTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties {@code zk.lock.*}. They are validated together after binding, before any other bean uses
 * them. Invalid values fail the start with {@link InvalidZkLockPropertyException}. The texts of these objects contain no
 * secrets.
 *
 * @param enabled Whether to configure a lock registry.
 * @param connectString ZooKeeper servers as host:port,host:port, optionally followed by a path below which all nodes are
 *     created.
 * @param sessionTimeout ZooKeeper session timeout, after which ZooKeeper releases the locks of an unreachable process.
 * @param connectionTimeout Time limit for establishing a connection, and for the answer to a request that does not wait
 *     for a holder.
 * @param basePath ZooKeeper path below which all locks are created.
 * @param instanceId Name of this process in the queues. Built from the application name, the host and the process id
 *     unless set.
 * @param auth credentials of the client
 * @param acl Access list of the nodes: open, creator-all, read-for-world (creator-all, plus read access for every
 *     client), or entries such as digest:alice:hash:cdrwa. Unless set, nodes get the list of the base path.
 * @param ssl encryption of the connection
 * @param client configuration of ZooKeeper's client
 * @param startupTimeout Time for which the start waits until the servers can be used; then it fails. Unless set, the
 *     application starts and connects in the background.
 * @param waitTime Time that an annotated method waits for its lock: a duration, 0 to not wait for a holder, or forever.
 * @param onBusy Reaction of an annotated method if its lock is busy for the whole wait time.
 * @param onLost Reaction of an annotated method if its lock is lost while it runs.
 * @param handoff rules by which the threads of this process share a lock
 * @param maxHold Time after which a holder loses its lock. Unlimited if unset or 0.
 * @param holdWarningThreshold Time after which a hold is logged as a warning with the stack of its holder; 0 for no
 *     warning.
 * @param transaction Handling of a lock that is acquired inside a running transaction, when its method ends.
 * @param shutdownTimeout Time for which a stopping application waits for holders to release their locks.
 * @param onClose Handling of locks that are still held after the shutdown timeout: each stays with its holder until the
 *     holder releases it or the process ends, or all are released although their holders may still work.
 * @param lockOrder Reaction if threads of this process request nested locks in contradictory orders, which can end in a
 *     deadlock.
 * @param onDeadlock Reaction to a deadlock of requests of this process or of several processes.
 * @param locks Settings of single locks or of groups of locks. The first entry that matches a lock applies.
 * @param leadership Names of the leaderships for which this process is a candidate, such as /reports.
 */
@ConfigurationProperties("zk.lock")
public record ZkLockProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String connectString,
        @DefaultValue("20s") Duration sessionTimeout,
        @DefaultValue("5s") Duration connectionTimeout,
        @DefaultValue("/locks") String basePath,
        @Nullable String instanceId,
        @DefaultValue Auth auth,
        @Nullable List<String> acl,
        @DefaultValue Ssl ssl,
        @DefaultValue Client client,
        @Nullable Duration startupTimeout,
        @DefaultValue("10s") String waitTime,
        @DefaultValue("throw") OnBusy onBusy,
        @DefaultValue("throw-after") OnLost onLost,
        @DefaultValue HandOffRules handoff,
        @Nullable Duration maxHold,
        @DefaultValue("1m") Duration holdWarningThreshold,
        @DefaultValue("hold") InTransaction transaction,
        @DefaultValue("10s") Duration shutdownTimeout,
        @DefaultValue("keep-held") OnClose onClose,
        @DefaultValue("ignore") DeadlockReaction lockOrder,
        @DefaultValue("warn") DeadlockReaction onDeadlock,
        @DefaultValue List<LockRule> locks,
        @DefaultValue List<String> leadership)
        implements InitializingBean {

    /** Validates all values. */
    @Override
    public void afterPropertiesSet() {
        PropertyChecks.check(this);
    }

    /**
     * Returns a function that computes the policy of each lock from these properties, for a registry that the
     * application builds.
     */
    public Function<LockName, LockPolicy> lockPolicies() {
        return new LockOverrides(this)::policy;
    }

    /** Returns the main values, without secrets. */
    @Override
    public String toString() {
        return "ZkLockProperties[connectString=" + connectString + ", basePath=" + basePath + ", instanceId="
                + instanceId + ", auth=" + auth + ", ssl=" + ssl + ", client=" + client + "]";
    }

    /**
     * Authentication at the servers with the scheme {@code digest}. Without a username, no credentials are sent.
     *
     * @param username Username of the digest scheme.
     * @param password Password of the digest scheme.
     */
    public record Auth(@Nullable String username, @Nullable String password) {

        @Override
        public String toString() {
            return "Auth[username=" + username + "]";
        }
    }

    /**
     * Encryption of the connection. Without a bundle, connections are not encrypted.
     *
     * @param bundle Name of the SSL bundle. If the bundle has a key store, its key identifies the process to the servers.
     */
    public record Ssl(@Nullable String bundle) {}

    /**
     * Configuration that is passed to ZooKeeper's client unchanged.
     *
     * @param properties Properties of ZooKeeper's client configuration, such as zookeeper.sasl.clientconfig.
     */
    public record Client(@DefaultValue Map<String, String> properties) {

        @Override
        public String toString() {
            return "Client[properties=" + properties.keySet() + "]";
        }
    }

    /**
     * Rules by which the threads of this process share a lock.
     *
     * @param policy Hand-off policy: bounded shares one seat in the queue among the threads of this process for a limited
     *     number of turns, strict gives each acquisition its own seat.
     * @param linger Time for which this process keeps the seat of a lock that none of its threads holds, so that it can
     *     acquire the lock again without a request.
     */
    public record HandOffRules(
            @DefaultValue("bounded") HandOff.Policy policy,
            @DefaultValue("0") Duration linger) {}

    /**
     * Settings of some locks. Unset values are taken from the general settings.
     *
     * @param name Name of the lock, or a pattern such as /orders/* or /orders/**.
     * @param waitTime Time that an annotated method waits for such a lock: a duration, 0 to not wait for a holder, or
     *     forever.
     * @param onBusy Reaction of an annotated method if such a lock is busy for the whole wait time.
     * @param onLost Reaction of an annotated method if such a lock is lost while it runs.
     * @param handoff rules by which the threads of this process share such a lock
     * @param maxHold Time after which a holder loses such a lock; 0 for unlimited.
     * @param holdWarningThreshold Time after which a hold is logged as a warning with the stack of its holder; 0 for no
     *     warning.
     */
    public record LockRule(
            @Nullable String name,
            @Nullable String waitTime,
            @Nullable OnBusy onBusy,
            @Nullable OnLost onLost,
            @DefaultValue HandOffOverride handoff,
            @Nullable Duration maxHold,
            @Nullable Duration holdWarningThreshold) {}

    /**
     * Hand-off settings of some locks. Unset values are taken from the general settings.
     *
     * @param policy Hand-off policy.
     * @param linger Time for which this process keeps the seat of such a lock that none of its threads holds.
     */
    public record HandOffOverride(
            HandOff.@Nullable Policy policy, @Nullable Duration linger) {}
}
