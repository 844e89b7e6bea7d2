package io.github.zklock.autoconfigure;

import io.github.zklock.HandOff;
import io.github.zklock.OnClose;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.transaction.InTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What {@code zk.lock.*} says, valid as a whole: a wrong value is refused with {@link InvalidZkLockPropertyException} as
 * soon as it is bound. Never shows a secret in its text.
 *
 * @param enabled Whether to configure a lock registry.
 * @param connectString ZooKeeper servers as host:port,host:port, optionally followed by a path under which everything
 *     lies.
 * @param sessionTimeout Time for which the servers keep the locks of a process that they no longer hear of.
 * @param connectionTimeout Time that a connection may take, and that those who only ask wait for an answer.
 * @param retry Pauses and attempts of recoveries.
 * @param basePath Folder of all locks.
 * @param instance Name of this process in the queues. Unless set, made of the application's name, the host and the
 *     process id.
 * @param auth Identity that is shown to the servers.
 * @param acl Access list of the nodes: open, creator-all, read-for-world (which is creator-all, and everybody may
 *     read), or entries such as digest:alice:hash:cdrwa. Unless set, nodes get the list of the base path.
 * @param ssl Encryption of the connection.
 * @param client Settings of ZooKeeper's own client.
 * @param startup What to do while no server can be reached at start-up.
 * @param startupTimeout Time to wait for the servers at start-up, if start-up waits.
 * @param waitTime Time that an annotated method waits for its lock: a duration, 0 to only try, or forever.
 * @param onBusy What an annotated method does when others have held the lock for all of the wait time.
 * @param onLost What an annotated method does when its lock is lost while it runs.
 * @param handoff Rules by which the threads of this process share a lock.
 * @param maxHold Time after which a lock is taken from its holder. Unlimited unless set; 0 for unlimited.
 * @param holdWarningThreshold Time after which a holder is warned of, with its stack; 0 for never.
 * @param transaction What becomes of a lock that is taken inside a running transaction when its method ends.
 * @param transactionCheck Check of locks before a transaction commits.
 * @param advisorOrder Order of the advisor of annotated methods among others. Unless set, just outside transactions and
 *     caches.
 * @param drain Time that holders get to finish when the application stops.
 * @param onClose What becomes of locks that are still held after the drain: each stays with its holder until that
 *     releases it or the process ends, or all are released while their holders may still work.
 * @param seatBudget Size that the paths of all nodes of this process may have together: ZooKeeper deletes them in one
 *     transaction when the session ends. More than 1 MB needs a larger jute.maxbuffer on all servers.
 * @param locks Settings of single locks or of groups of them, the first matching entry wins.
 */
@ConfigurationProperties("zk.lock")
public record ZkLockProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String connectString,
        @DefaultValue("20s") Duration sessionTimeout,
        @DefaultValue("5s") Duration connectionTimeout,
        @DefaultValue Retry retry,
        @DefaultValue("/locks") String basePath,
        @Nullable String instance,
        @DefaultValue Auth auth,
        @Nullable List<String> acl,
        @DefaultValue Ssl ssl,
        @DefaultValue Client client,
        @DefaultValue("lazy") Startup startup,
        @DefaultValue("30s") Duration startupTimeout,
        @DefaultValue("10s") String waitTime,
        @DefaultValue("throw") OnBusy onBusy,
        @DefaultValue("throw-after") OnLost onLost,
        @DefaultValue HandOffRules handoff,
        @Nullable Duration maxHold,
        @DefaultValue("1m") Duration holdWarningThreshold,
        @DefaultValue("hold") InTransaction transaction,
        @DefaultValue TransactionCheck transactionCheck,
        @Nullable Integer advisorOrder,
        @DefaultValue("10s") Duration drain,
        @DefaultValue("keep-held") OnClose onClose,
        @DefaultValue("512KB") DataSize seatBudget,
        @DefaultValue List<LockRule> locks) {

    public ZkLockProperties {
        acl = acl == null ? null : List.copyOf(acl);
        locks = List.copyOf(locks);
        PropertyChecks.basics(
                sessionTimeout, connectionTimeout, retry, basePath, instance, startupTimeout, drain, connectString);
        PropertyChecks.seatBudget(seatBudget);
        PropertyChecks.identity(auth, acl, ssl);
        PropertyChecks.locks(waitTime, onBusy, onLost, handoff, maxHold, holdWarningThreshold, locks);
    }

    /** Shows what tells one configuration from another, and no more. */
    @Override
    public String toString() {
        return "ZkLockProperties[connectString=" + connectString + ", basePath=" + basePath + ", instance=" + instance
                + ", auth=" + auth + ", ssl=" + ssl + ", client=" + client + ", startup=" + startup + "]";
    }

    /**
     * How the client recovers.
     *
     * @param base First pause between attempts; each further one is about twice as long.
     * @param max Longest pause between attempts.
     * @param attempts Number of attempts of the client's own operations. Acquiring a lock is not bounded by it, but by
     *     its wait time.
     */
    public record Retry(
            @DefaultValue("50ms") Duration base,
            @DefaultValue("1s") Duration max,
            @DefaultValue("3") int attempts) {}

    /**
     * Whom the servers take this process for. Nobody unless a username or data is set.
     *
     * @param scheme Authentication scheme of the servers.
     * @param username User of the digest scheme.
     * @param password Password of the digest scheme.
     * @param data Credentials of another scheme, as that scheme wants them.
     */
    public record Auth(
            @DefaultValue("digest") String scheme,
            @Nullable String username,
            @Nullable String password,
            @Nullable String data) {

        @Override
        public String toString() {
            return "Auth[scheme=" + scheme + ", username=" + username + "]";
        }
    }

    /**
     * How the connection is encrypted. Not at all unless there is a bundle.
     *
     * @param bundle Name of the SSL bundle. Its key store, if it has one, identifies this process to the servers.
     */
    public record Ssl(@Nullable String bundle) {}

    /**
     * What goes to ZooKeeper's client as it is.
     *
     * @param properties Properties of ZooKeeper's client configuration, such as zookeeper.sasl.clientconfig.
     */
    public record Client(@DefaultValue Map<String, String> properties) {

        public Client {
            properties = Map.copyOf(properties);
        }

        @Override
        public String toString() {
            return "Client[properties=" + properties.keySet() + "]";
        }
    }

    /**
     * How the threads of this process share a lock.
     *
     * @param policy Whether the threads share one place in the queue for a bounded number of turns, or each
     *     acquisition has a place of its own.
     * @param maxTurns Turns that threads of this process may take while others in the cluster wait.
     * @param maxTime Time for which threads of this process may take turns while others in the cluster wait.
     * @param linger Time that a free place at the head is kept, so that taking the lock again costs no network.
     */
    public record HandOffRules(
            @DefaultValue("bounded") HandOff.Policy policy,
            @DefaultValue("1024") int maxTurns,
            @DefaultValue("50ms") Duration maxTime,
            @DefaultValue("0s") Duration linger) {}

    /**
     * What is different for some locks. Unset values are those of all locks.
     *
     * @param name Name of the lock, or a pattern such as /orders/* or /orders/**.
     * @param waitTime Time that an annotated method waits for such a lock: a duration, 0 to only try, or forever.
     * @param onBusy What an annotated method does when others have held such a lock for all of the wait time.
     * @param onLost What an annotated method does when such a lock is lost while it runs.
     * @param handoff Rules by which the threads of this process share such a lock.
     * @param maxHold Time after which such a lock is taken from its holder; 0 for unlimited.
     * @param holdWarningThreshold Time after which a holder is warned of, with its stack; 0 for never.
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
     * What is different in the hand-off of some locks.
     *
     * @param policy Whether the threads share one place in the queue for a bounded number of turns, or each
     *     acquisition has a place of its own.
     * @param maxTurns Turns that threads of this process may take while others in the cluster wait.
     * @param maxTime Time for which threads of this process may take turns while others in the cluster wait.
     * @param linger Time that a free place at the head is kept, so that taking the lock again costs no network.
     */
    public record HandOffOverride(
            HandOff.@Nullable Policy policy,
            @Nullable Integer maxTurns,
            @Nullable Duration maxTime,
            @Nullable Duration linger) {}

    /**
     * Check of locks before a transaction commits.
     *
     * @param permits Whether to refuse a commit if the permit of a semaphore is lost or cannot be proven to be held.
     * @param exemptManagers Bean names of transaction managers whose transactions commit without the check.
     */
    public record TransactionCheck(
            @DefaultValue("false") boolean permits,
            @DefaultValue List<String> exemptManagers) {

        public TransactionCheck {
            exemptManagers = List.copyOf(exemptManagers);
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
