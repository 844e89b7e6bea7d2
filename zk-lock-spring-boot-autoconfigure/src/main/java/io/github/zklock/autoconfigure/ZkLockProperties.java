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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties {@code zk.lock.*}. They are validated together after binding, before any other bean uses
 * them. An invalid value fails the start with {@link InvalidZkLockPropertyException}. The texts of these objects
 * contain no secrets.
 */
@ConfigurationProperties("zk.lock")
public class ZkLockProperties implements InitializingBean {

    /** Whether to configure a lock registry. */
    private boolean enabled = true;

    /** ZooKeeper servers as host:port,host:port, optionally followed by a path below which all nodes are created. */
    private @Nullable String connectString;

    /** ZooKeeper session timeout, after which ZooKeeper releases the locks of an unreachable process. */
    private Duration sessionTimeout = Duration.ofSeconds(20);

    /** Time limit for establishing a connection, and for the answer to a request that does not wait for a holder. */
    private Duration connectionTimeout = Duration.ofSeconds(5);

    private final Retry retry = new Retry();

    /** ZooKeeper path below which all locks are created. */
    private String basePath = "/locks";

    /** Name of this process in the queues. Built from the application name, the host and the process id unless set. */
    private @Nullable String instanceId;

    private final Auth auth = new Auth();

    /**
     * Access list of the nodes: open, creator-all, read-for-world (creator-all, plus read access for every client), or
     * entries such as digest:alice:hash:cdrwa. Unless set, nodes get the list of the base path.
     */
    private @Nullable List<String> acl;

    private final Ssl ssl = new Ssl();

    private final Client client = new Client();

    /** Behavior at start-up if no server can be reached. */
    private Startup startup = Startup.LAZY;

    /** Time limit for reaching the servers at start-up if zk.lock.startup is wait. */
    private Duration startupTimeout = Duration.ofSeconds(30);

    /** Time that an annotated method waits for its lock: a duration, 0 to not wait for a holder, or forever. */
    private String waitTime = "10s";

    /** Reaction of an annotated method if its lock is busy for the whole wait time. */
    private OnBusy onBusy = OnBusy.THROW;

    /** Reaction of an annotated method if its lock is lost while it runs. */
    private OnLost onLost = OnLost.THROW_AFTER;

    private final HandOffRules handoff = new HandOffRules();

    /** Time after which a holder loses its lock. Unlimited if unset or 0. */
    private @Nullable Duration maxHold;

    /** Time after which a hold is logged as a warning with the stack of its holder; 0 for no warning. */
    private Duration holdWarningThreshold = Duration.ofMinutes(1);

    /** Handling of a lock that is acquired inside a running transaction, when its method ends. */
    private InTransaction transaction = InTransaction.HOLD;

    /** Check of locks before a transaction commits. */
    private final TransactionCheck transactionCheck = new TransactionCheck();

    /**
     * Order of the advisor of annotated methods among other advisors. Directly outside transactions and caches unless
     * set.
     */
    private @Nullable Integer advisorOrder;

    /** Time for which a stopping application waits for holders to release their locks. */
    private Duration shutdownTimeout = Duration.ofSeconds(10);

    /**
     * Handling of locks that are still held after the shutdown timeout: each stays with its holder until the holder
     * releases it or the process ends, or all are released although their holders may still work.
     */
    private OnClose onClose = OnClose.KEEP_HELD;

    /**
     * Reaction if threads of this process request nested locks in contradictory orders, which can end in a deadlock.
     */
    private DeadlockReaction lockOrder = DeadlockReaction.IGNORE;

    /** Reaction to a deadlock of requests of this process or of several processes. */
    private DeadlockReaction onDeadlock = DeadlockReaction.WARN;

    /**
     * Total size of the paths of all nodes of this process, which ZooKeeper deletes in one transaction when the session
     * ends. More than 1 MB requires a larger jute.maxbuffer on all servers.
     */
    private DataSize seatBudget = DataSize.ofKilobytes(512);

    /** Settings of single locks or of groups of locks. The first entry that matches a lock applies. */
    private List<LockRule> locks = new ArrayList<>();

    /** Leaderships for which this process is a candidate. */
    private List<LeadershipRule> leadership = new ArrayList<>();

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public @Nullable String getConnectString() {
        return connectString;
    }

    public void setConnectString(@Nullable String connectString) {
        this.connectString = connectString;
    }

    public Duration getSessionTimeout() {
        return sessionTimeout;
    }

    public void setSessionTimeout(Duration sessionTimeout) {
        this.sessionTimeout = sessionTimeout;
    }

    public Duration getConnectionTimeout() {
        return connectionTimeout;
    }

    public void setConnectionTimeout(Duration connectionTimeout) {
        this.connectionTimeout = connectionTimeout;
    }

    public Retry getRetry() {
        return retry;
    }

    public String getBasePath() {
        return basePath;
    }

    public void setBasePath(String basePath) {
        this.basePath = basePath;
    }

    public @Nullable String getInstanceId() {
        return instanceId;
    }

    public void setInstanceId(@Nullable String instanceId) {
        this.instanceId = instanceId;
    }

    public Auth getAuth() {
        return auth;
    }

    public @Nullable List<String> getAcl() {
        return acl;
    }

    public void setAcl(@Nullable List<String> acl) {
        this.acl = acl;
    }

    public Ssl getSsl() {
        return ssl;
    }

    public Client getClient() {
        return client;
    }

    public Startup getStartup() {
        return startup;
    }

    public void setStartup(Startup startup) {
        this.startup = startup;
    }

    public Duration getStartupTimeout() {
        return startupTimeout;
    }

    public void setStartupTimeout(Duration startupTimeout) {
        this.startupTimeout = startupTimeout;
    }

    public String getWaitTime() {
        return waitTime;
    }

    public void setWaitTime(String waitTime) {
        this.waitTime = waitTime;
    }

    public OnBusy getOnBusy() {
        return onBusy;
    }

    public void setOnBusy(OnBusy onBusy) {
        this.onBusy = onBusy;
    }

    public OnLost getOnLost() {
        return onLost;
    }

    public void setOnLost(OnLost onLost) {
        this.onLost = onLost;
    }

    public HandOffRules getHandoff() {
        return handoff;
    }

    public @Nullable Duration getMaxHold() {
        return maxHold;
    }

    public void setMaxHold(@Nullable Duration maxHold) {
        this.maxHold = maxHold;
    }

    public Duration getHoldWarningThreshold() {
        return holdWarningThreshold;
    }

    public void setHoldWarningThreshold(Duration holdWarningThreshold) {
        this.holdWarningThreshold = holdWarningThreshold;
    }

    public InTransaction getTransaction() {
        return transaction;
    }

    public void setTransaction(InTransaction transaction) {
        this.transaction = transaction;
    }

    public TransactionCheck getTransactionCheck() {
        return transactionCheck;
    }

    public @Nullable Integer getAdvisorOrder() {
        return advisorOrder;
    }

    public void setAdvisorOrder(@Nullable Integer advisorOrder) {
        this.advisorOrder = advisorOrder;
    }

    public Duration getShutdownTimeout() {
        return shutdownTimeout;
    }

    public void setShutdownTimeout(Duration shutdownTimeout) {
        this.shutdownTimeout = shutdownTimeout;
    }

    public DeadlockReaction getLockOrder() {
        return lockOrder;
    }

    public void setLockOrder(DeadlockReaction lockOrder) {
        this.lockOrder = lockOrder;
    }

    public DeadlockReaction getOnDeadlock() {
        return onDeadlock;
    }

    public void setOnDeadlock(DeadlockReaction onDeadlock) {
        this.onDeadlock = onDeadlock;
    }

    public OnClose getOnClose() {
        return onClose;
    }

    public void setOnClose(OnClose onClose) {
        this.onClose = onClose;
    }

    public DataSize getSeatBudget() {
        return seatBudget;
    }

    public void setSeatBudget(DataSize seatBudget) {
        this.seatBudget = seatBudget;
    }

    public List<LeadershipRule> getLeadership() {
        return leadership;
    }

    public void setLeadership(List<LeadershipRule> leadership) {
        this.leadership = leadership;
    }

    public List<LockRule> getLocks() {
        return locks;
    }

    public void setLocks(List<LockRule> locks) {
        this.locks = locks;
    }

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
                + instanceId + ", auth=" + auth + ", ssl=Ssl[bundle=" + ssl.getBundle() + "], client=" + client
                + ", startup=" + startup + "]";
    }

    /** Retries of the client. */
    public static class Retry {

        /** First interval between attempts. Each further interval is about twice as long. */
        private Duration initialInterval = Duration.ofMillis(50);

        /** Longest interval between attempts. */
        private Duration maxInterval = Duration.ofSeconds(1);

        /**
         * Number of attempts of the client's own operations. It does not limit the wait for a lock, which has its own
         * wait time.
         */
        private int maxAttempts = 3;

        public Duration getInitialInterval() {
            return initialInterval;
        }

        public void setInitialInterval(Duration initialInterval) {
            this.initialInterval = initialInterval;
        }

        public Duration getMaxInterval() {
            return maxInterval;
        }

        public void setMaxInterval(Duration maxInterval) {
            this.maxInterval = maxInterval;
        }

        public int getMaxAttempts() {
            return maxAttempts;
        }

        public void setMaxAttempts(int maxAttempts) {
            this.maxAttempts = maxAttempts;
        }
    }

    /** Authentication at the servers. Without a username or data, no credentials are sent. */
    public static class Auth {

        /** Authentication scheme of the servers. */
        private String scheme = "digest";

        /** Username of the digest scheme. */
        private @Nullable String username;

        /** Password of the digest scheme. */
        private @Nullable String password;

        /** Credentials of another scheme, in the format of that scheme. */
        private @Nullable String data;

        public String getScheme() {
            return scheme;
        }

        public void setScheme(String scheme) {
            this.scheme = scheme;
        }

        public @Nullable String getUsername() {
            return username;
        }

        public void setUsername(@Nullable String username) {
            this.username = username;
        }

        public @Nullable String getPassword() {
            return password;
        }

        public void setPassword(@Nullable String password) {
            this.password = password;
        }

        public @Nullable String getData() {
            return data;
        }

        public void setData(@Nullable String data) {
            this.data = data;
        }

        @Override
        public String toString() {
            return "Auth[scheme=" + scheme + ", username=" + username + "]";
        }
    }

    /** Encryption of the connection. Without a bundle, connections are not encrypted. */
    public static class Ssl {

        /** Name of the SSL bundle. If the bundle has a key store, its key identifies the process to the servers. */
        private @Nullable String bundle;

        public @Nullable String getBundle() {
            return bundle;
        }

        public void setBundle(@Nullable String bundle) {
            this.bundle = bundle;
        }
    }

    /** Configuration that is passed to ZooKeeper's client unchanged. */
    public static class Client {

        /** Properties of ZooKeeper's client configuration, such as zookeeper.sasl.clientconfig. */
        private Map<String, String> properties = new LinkedHashMap<>();

        public Map<String, String> getProperties() {
            return properties;
        }

        public void setProperties(Map<String, String> properties) {
            this.properties = properties;
        }

        @Override
        public String toString() {
            return "Client[properties=" + properties.keySet() + "]";
        }
    }

    /** Rules by which the threads of this process share a lock. */
    public static class HandOffRules {

        /**
         * Hand-off policy: bounded shares one seat in the queue among the threads of this process for a limited number
         * of turns, strict gives each acquisition its own seat.
         */
        private HandOff.Policy policy = HandOff.Policy.BOUNDED;

        /** Number of turns of one seat, after which this process queues behind waiters of other processes. */
        private int maxTurns = 1024;

        /** Time for which one seat serves turns, after which this process queues behind waiters of other processes. */
        private Duration maxTime = Duration.ofMillis(50);

        /**
         * Time for which this process keeps the seat of a lock that none of its threads holds, so that it can acquire
         * the lock again without a request.
         */
        private Duration linger = Duration.ZERO;

        public HandOff.Policy getPolicy() {
            return policy;
        }

        public void setPolicy(HandOff.Policy policy) {
            this.policy = policy;
        }

        public int getMaxTurns() {
            return maxTurns;
        }

        public void setMaxTurns(int maxTurns) {
            this.maxTurns = maxTurns;
        }

        public Duration getMaxTime() {
            return maxTime;
        }

        public void setMaxTime(Duration maxTime) {
            this.maxTime = maxTime;
        }

        public Duration getLinger() {
            return linger;
        }

        public void setLinger(Duration linger) {
            this.linger = linger;
        }
    }

    /** A leadership for which this process is a candidate. */
    public static class LeadershipRule {

        /** Name of the leadership, such as /reports. */
        private @Nullable String name;

        public @Nullable String getName() {
            return name;
        }

        public void setName(@Nullable String name) {
            this.name = name;
        }
    }

    /** Settings of some locks. Unset values are taken from the general settings. */
    public static class LockRule {

        /** Name of the lock, or a pattern such as /orders/* or /orders/**. */
        private @Nullable String name;

        /** Time that an annotated method waits for such a lock: a duration, 0 to not wait for a holder, or forever. */
        private @Nullable String waitTime;

        /** Reaction of an annotated method if such a lock is busy for the whole wait time. */
        private @Nullable OnBusy onBusy;

        /** Reaction of an annotated method if such a lock is lost while it runs. */
        private @Nullable OnLost onLost;

        private final HandOffOverride handoff = new HandOffOverride();

        /** Time after which a holder loses such a lock; 0 for unlimited. */
        private @Nullable Duration maxHold;

        /** Time after which a hold is logged as a warning with the stack of its holder; 0 for no warning. */
        private @Nullable Duration holdWarningThreshold;

        public @Nullable String getName() {
            return name;
        }

        public void setName(@Nullable String name) {
            this.name = name;
        }

        public @Nullable String getWaitTime() {
            return waitTime;
        }

        public void setWaitTime(@Nullable String waitTime) {
            this.waitTime = waitTime;
        }

        public @Nullable OnBusy getOnBusy() {
            return onBusy;
        }

        public void setOnBusy(@Nullable OnBusy onBusy) {
            this.onBusy = onBusy;
        }

        public @Nullable OnLost getOnLost() {
            return onLost;
        }

        public void setOnLost(@Nullable OnLost onLost) {
            this.onLost = onLost;
        }

        public HandOffOverride getHandoff() {
            return handoff;
        }

        public @Nullable Duration getMaxHold() {
            return maxHold;
        }

        public void setMaxHold(@Nullable Duration maxHold) {
            this.maxHold = maxHold;
        }

        public @Nullable Duration getHoldWarningThreshold() {
            return holdWarningThreshold;
        }

        public void setHoldWarningThreshold(@Nullable Duration holdWarningThreshold) {
            this.holdWarningThreshold = holdWarningThreshold;
        }
    }

    /** Hand-off settings of some locks. Unset values are taken from the general settings. */
    public static class HandOffOverride {

        /**
         * Hand-off policy: bounded shares one seat in the queue among the threads of this process for a limited number
         * of turns, strict gives each acquisition its own seat.
         */
        private HandOff.@Nullable Policy policy;

        /** Number of turns of one seat, after which this process queues behind waiters of other processes. */
        private @Nullable Integer maxTurns;

        /** Time for which one seat serves turns, after which this process queues behind waiters of other processes. */
        private @Nullable Duration maxTime;

        /**
         * Time for which this process keeps the seat of a lock that none of its threads holds, so that it can acquire
         * the lock again without a request.
         */
        private @Nullable Duration linger;

        public HandOff.@Nullable Policy getPolicy() {
            return policy;
        }

        public void setPolicy(HandOff.@Nullable Policy policy) {
            this.policy = policy;
        }

        public @Nullable Integer getMaxTurns() {
            return maxTurns;
        }

        public void setMaxTurns(@Nullable Integer maxTurns) {
            this.maxTurns = maxTurns;
        }

        public @Nullable Duration getMaxTime() {
            return maxTime;
        }

        public void setMaxTime(@Nullable Duration maxTime) {
            this.maxTime = maxTime;
        }

        public @Nullable Duration getLinger() {
            return linger;
        }

        public void setLinger(@Nullable Duration linger) {
            this.linger = linger;
        }
    }

    /** Check of locks before a transaction commits. */
    public static class TransactionCheck {

        /** Whether to roll back instead of committing if a semaphore permit is lost or cannot be proven to be held. */
        private boolean permits;

        /** Bean names of transaction managers whose transactions commit without the check. */
        private List<String> exemptManagers = new ArrayList<>();

        public boolean isPermits() {
            return permits;
        }

        public void setPermits(boolean permits) {
            this.permits = permits;
        }

        public List<String> getExemptManagers() {
            return exemptManagers;
        }

        public void setExemptManagers(List<String> exemptManagers) {
            this.exemptManagers = exemptManagers;
        }
    }

    /** Behavior at start-up if no server can be reached. */
    public enum Startup {
        /** Start, and connect in the background. */
        LAZY,
        /** Wait up to {@code startup-timeout} for the servers. Fail the start if they do not answer. */
        WAIT,
        /** Fail the start if the servers do not answer within {@code connection-timeout}. */
        FAIL_FAST
    }
}
