package io.github.zklock.autoconfigure;

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
 * Configuration properties {@code zk.lock.*}. After they are bound, they are checked as a whole, before any other bean
 * uses them: a wrong value stops the start with {@link InvalidZkLockPropertyException}. No text of these objects contains a
 * secret.
 */
@ConfigurationProperties("zk.lock")
public class ZkLockProperties implements InitializingBean {

    /** Whether to configure a lock registry. */
    private boolean enabled = true;

    /** ZooKeeper servers as host:port,host:port, optionally followed by a path below which all nodes are created. */
    private @Nullable String connectString;

    /** ZooKeeper session timeout, after which the servers release the locks of a process that they cannot reach. */
    private Duration sessionTimeout = Duration.ofSeconds(20);

    /** Time within which a connection is made and a server answers a query. */
    private Duration connectionTimeout = Duration.ofSeconds(5);

    private final Retry retry = new Retry();

    /** Folder of all locks. */
    private String basePath = "/locks";

    /** Name of this process in the queues. Unless set, made of the application's name, the host and the process id. */
    private @Nullable String instanceId;

    private final Auth auth = new Auth();

    /**
     * Access list of the nodes: open, creator-all, read-for-world (creator-all, and everybody may read), or entries
     * such as digest:alice:hash:cdrwa. Unless set, nodes get the list of the base path.
     */
    private @Nullable List<String> acl;

    private final Ssl ssl = new Ssl();

    private final Client client = new Client();

    /** What to do while no server can be reached at start-up. */
    private Startup startup = Startup.LAZY;

    /** Time to wait for the servers at start-up, if start-up waits. */
    private Duration startupTimeout = Duration.ofSeconds(30);

    /** Time that an annotated method waits for its lock: a duration, 0 to only try, or forever. */
    private String waitTime = "10s";

    /** What an annotated method does when its lock is held by others for all of the wait time. */
    private OnBusy onBusy = OnBusy.THROW;

    /** What an annotated method does when its lock is lost while it runs. */
    private OnLost onLost = OnLost.THROW_AFTER;

    private final HandOffRules handoff = new HandOffRules();

    /** Time after which a lock is taken from its holder. Unlimited unless set; 0 for unlimited. */
    private @Nullable Duration maxHold;

    /** Time after which a hold is reported with the stack of its holder; 0 for never. */
    private Duration holdWarningThreshold = Duration.ofMinutes(1);

    /** What happens to a lock that is acquired inside a running transaction when its method ends. */
    private InTransaction transaction = InTransaction.HOLD;

    /** Check of locks before a transaction commits. */
    private final TransactionCheck transactionCheck = new TransactionCheck();

    /** Order of the advisor of annotated methods among others. Unless set, just outside transactions and caches. */
    private @Nullable Integer advisorOrder;

    /** Time for which a stopping application waits until no lock is held. */
    private Duration shutdownTimeout = Duration.ofSeconds(10);

    /**
     * What happens to locks that are still held after the shutdown timeout: each stays with its holder until the holder
     * releases it or the process ends, or all are released while their holders may still work.
     */
    private OnClose onClose = OnClose.KEEP_HELD;

    /**
     * Total size of the paths of all nodes of this process: ZooKeeper deletes them in one transaction when the session
     * ends. More than 1 MB needs a larger jute.maxbuffer on all servers.
     */
    private DataSize seatBudget = DataSize.ofKilobytes(512);

    /** Settings of single locks or of groups of them; the first matching entry applies. */
    private List<LockRule> locks = new ArrayList<>();

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

    public List<LockRule> getLocks() {
        return locks;
    }

    public void setLocks(List<LockRule> locks) {
        this.locks = locks;
    }

    /** Checks all values. */
    @Override
    public void afterPropertiesSet() {
        PropertyChecks.check(this);
    }

    /** Returns what these properties set for each lock in one process, for a registry that is built by hand. */
    public Function<LockName, LockPolicy> lockPolicies() {
        return new LockOverrides(this)::policy;
    }

    /** Shows what distinguishes one configuration from another, without secrets. */
    @Override
    public String toString() {
        return "ZkLockProperties[connectString=" + connectString + ", basePath=" + basePath + ", instanceId="
                + instanceId + ", auth=" + auth + ", ssl=Ssl[bundle=" + ssl.getBundle() + "], client=" + client
                + ", startup=" + startup + "]";
    }

    /** Pauses and attempts of the client's recovery. */
    public static class Retry {

        /** First pause between attempts; each further pause is about twice as long. */
        private Duration initialInterval = Duration.ofMillis(50);

        /** Longest pause between attempts. */
        private Duration maxInterval = Duration.ofSeconds(1);

        /**
         * Number of attempts of the client's own operations. The wait for a lock is bounded by its wait time instead.
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

    /** Identity of this process at the servers. None unless a username or data is set. */
    public static class Auth {

        /** Authentication scheme of the servers. */
        private String scheme = "digest";

        /** User of the digest scheme. */
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

    /** Encryption of the connection. None unless a bundle is set. */
    public static class Ssl {

        /** Name of the SSL bundle. If it has a key store, this identifies the process to the servers. */
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
         * Whether the threads of this process share one place in the queue for a bounded number of turns, or each
         * acquisition has a place of its own.
         */
        private HandOff.Policy policy = HandOff.Policy.BOUNDED;

        /** Turns that threads of this process may take while others in the cluster wait. */
        private int maxTurns = 1024;

        /** Time for which threads of this process may take turns while others in the cluster wait. */
        private Duration maxTime = Duration.ofMillis(50);

        /**
         * Time for which this process keeps the place of a lock that it does not hold, so that acquiring the lock again
         * costs no network request.
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

    /** Settings of some locks. Unset values are those of all locks. */
    public static class LockRule {

        /** Name of the lock, or a pattern such as /orders/* or /orders/**. */
        private @Nullable String name;

        /** Time that an annotated method waits for such a lock: a duration, 0 to only try, or forever. */
        private @Nullable String waitTime;

        /** What an annotated method does when such a lock is held by others for all of the wait time. */
        private @Nullable OnBusy onBusy;

        /** What an annotated method does when such a lock is lost while it runs. */
        private @Nullable OnLost onLost;

        private final HandOffOverride handoff = new HandOffOverride();

        /** Time after which such a lock is taken from its holder; 0 for unlimited. */
        private @Nullable Duration maxHold;

        /** Time after which a hold is reported with the stack of its holder; 0 for never. */
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

    /** Settings of the hand-off of some locks. Unset values are those of all locks. */
    public static class HandOffOverride {

        /**
         * Whether the threads of this process share one place in the queue for a bounded number of turns, or each
         * acquisition has a place of its own.
         */
        private HandOff.@Nullable Policy policy;

        /** Turns that threads of this process may take while others in the cluster wait. */
        private @Nullable Integer maxTurns;

        /** Time for which threads of this process may take turns while others in the cluster wait. */
        private @Nullable Duration maxTime;

        /**
         * Time for which this process keeps the place of a lock that it does not hold, so that acquiring the lock again
         * costs no network request.
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

        /** Whether to refuse a commit if the permit of a semaphore is lost or cannot be proven to be held. */
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

    /** What to do while no server can be reached at start-up. */
    public enum Startup {
        /** Start, and connect in the background. */
        LAZY,
        /** Wait up to {@code startup-timeout} for the servers, and do not start without them. */
        WAIT,
        /** Do not start unless the servers answer within {@code connection-timeout}. */
        FAIL_FAST
    }
}
