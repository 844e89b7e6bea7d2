package io.github.zklock.autoconfigure;

import io.github.zklock.HandOff;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.WaitTime;
import io.github.zklock.autoconfigure.ZkLockProperties.Auth;
import io.github.zklock.autoconfigure.ZkLockProperties.HandOffOverride;
import io.github.zklock.autoconfigure.ZkLockProperties.HandOffRules;
import io.github.zklock.autoconfigure.ZkLockProperties.LockRule;
import io.github.zklock.autoconfigure.ZkLockProperties.Retry;
import io.github.zklock.autoconfigure.ZkLockProperties.Ssl;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.unit.DataSize;

/** What values {@code zk.lock.*} may have. */
final class PropertyChecks {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

    private static final DataSize SMALLEST_BUDGET = DataSize.ofKilobytes(1);

    /** Beyond which Curator retries no more often. */
    private static final int MOST_ATTEMPTS = 29;

    private PropertyChecks() {}

    static void basics(
            Duration sessionTimeout,
            Duration connectionTimeout,
            Retry retry,
            String basePath,
            @Nullable String instance,
            Duration startupTimeout,
            Duration drain,
            @Nullable String connectString) {
        // blank is none where connection details come from elsewhere, and refused where it is used
        if (connectString != null && !connectString.isBlank()) {
            ConnectString.check("zk.lock.connect-string", connectString);
        }
        positive("zk.lock.session-timeout", sessionTimeout);
        positive("zk.lock.connection-timeout", connectionTimeout);
        positive("zk.lock.startup-timeout", startupTimeout);
        zeroOrMore("zk.lock.drain", drain, "use 0 not to wait for holders");
        retry(retry);
        basePath(basePath);
        notBlank("zk.lock.instance", instance, "name the process, or remove the property");
    }

    /** What exceeds the default of the servers is warned of by the registry. */
    static void seatBudget(DataSize budget) {
        if (budget.compareTo(SMALLEST_BUDGET) < 0) {
            throw refused("zk.lock.seat-budget", budget + " is too small for a lock", "use 1KB or more");
        }
    }

    static void identity(Auth auth, @Nullable List<String> acl, Ssl ssl) {
        notBlank(
                "zk.lock.ssl.bundle", ssl.bundle(), "name an SSL bundle, or remove the property for plain connections");
        auth(auth);
        if (acl != null) {
            AccessList.parse(acl);
        }
    }

    static void locks(
            String waitTime,
            OnBusy onBusy,
            OnLost onLost,
            HandOffRules handOff,
            @Nullable Duration maxHold,
            Duration holdWarningThreshold,
            List<LockRule> locks) {
        waitTime("zk.lock.wait-time", waitTime);
        if (onBusy == OnBusy.AS_CONFIGURED) {
            throw refused(
                    "zk.lock.on-busy", "is as-configured, which configures nothing", "use throw, skip or fallback");
        }
        if (onLost == OnLost.AS_CONFIGURED) {
            throw refused(
                    "zk.lock.on-lost",
                    "is as-configured, which configures nothing",
                    "use throw-after, interrupt or notify");
        }
        HandOffOverride asOverride =
                new HandOffOverride(handOff.policy(), handOff.maxTurns(), handOff.maxTime(), handOff.linger());
        handOff("zk.lock.handoff", asOverride, handOff.policy());
        zeroOrPositive("zk.lock.max-hold", maxHold, "use 0 for no limit");
        zeroOrPositive("zk.lock.hold-warning-threshold", holdWarningThreshold, "use 0 for no warning");
        for (int i = 0; i < locks.size(); i++) {
            rule("zk.lock.locks[" + i + "]", locks.get(i), handOff.policy());
        }
        LockPatterns.check(locks);
    }

    private static void rule(String prefix, LockRule rule, HandOff.Policy inherited) {
        if (rule.waitTime() != null) {
            waitTime(prefix + ".wait-time", rule.waitTime());
        }
        HandOff.Policy own = rule.handoff().policy();
        handOff(prefix + ".handoff", rule.handoff(), own == null ? inherited : own);
        zeroOrPositive(prefix + ".max-hold", rule.maxHold(), "use 0 for no limit");
        zeroOrPositive(prefix + ".hold-warning-threshold", rule.holdWarningThreshold(), "use 0 for no warning");
    }

    private static void waitTime(String property, String text) {
        try {
            WaitTime.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw refused(
                    property, "'" + text + "' is not a time to wait", "use one such as 10s, 0 to only try, or forever");
        }
    }

    private static void handOff(String prefix, HandOffOverride values, HandOff.Policy policy) {
        if (values.maxTurns() != null && values.maxTurns() < 1) {
            throw refused(prefix + ".max-turns", values.maxTurns() + " is not positive", "use 1 or more");
        }
        if (values.maxTime() != null) {
            positive(prefix + ".max-time", values.maxTime());
        }
        Duration linger = values.linger();
        if (linger != null) {
            zeroOrMore(prefix + ".linger", linger, "use 0 to give a free place back at once");
            if (!linger.isZero() && policy == HandOff.Policy.STRICT) {
                throw refused(
                        prefix + ".linger",
                        shown(linger) + " contradicts the policy strict, whose places serve one turn",
                        "remove it, or use the policy bounded");
            }
        }
    }

    private static void retry(Retry retry) {
        positive("zk.lock.retry.base", retry.base());
        positive("zk.lock.retry.max", retry.max());
        if (retry.base().compareTo(retry.max()) > 0) {
            throw refused(
                    "zk.lock.retry.base",
                    shown(retry.base()) + " exceeds zk.lock.retry.max, which is " + shown(retry.max()),
                    "use at most that");
        }
        if (retry.attempts() < 0 || retry.attempts() > MOST_ATTEMPTS) {
            throw refused(
                    "zk.lock.retry.attempts",
                    retry.attempts() + " is not from 0 to " + MOST_ATTEMPTS,
                    "use a number in between; it does not limit the wait for a lock");
        }
    }

    private static void basePath(String path) {
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException wrong) {
            throw refused(
                    "zk.lock.base-path",
                    "'" + path + "' is not a path of ZooKeeper (" + wrong.getMessage() + ")",
                    "use an absolute one without a slash at its end, such as /locks");
        }
        if (path.equals("/zookeeper") || path.startsWith("/zookeeper/")) {
            throw refused("zk.lock.base-path", "'" + path + "' belongs to ZooKeeper itself", "use one such as /locks");
        }
    }

    private static void auth(Auth auth) {
        boolean digest = auth.scheme().equals("digest");
        String user = auth.username();
        notBlank("zk.lock.auth.scheme", auth.scheme(), "use digest, or name another scheme of the servers");
        notBlank("zk.lock.auth.username", user, "name a user, or remove the property");
        if (user != null && auth.data() != null) {
            throw refused("zk.lock.auth.data", "is set beside a username", "use either of them");
        }
        if (user != null && !digest) {
            throw refused(
                    "zk.lock.auth.username",
                    "is set for the scheme '" + auth.scheme() + "', but only digest has users",
                    "put the credentials into zk.lock.auth.data");
        }
        if (user != null && user.contains(":")) {
            throw refused("zk.lock.auth.username", "has a colon, which ends a user's name", "choose one without");
        }
        if (user != null && (auth.password() == null || auth.password().isEmpty())) {
            throw refused("zk.lock.auth.password", "is not set, but a username is", "set it");
        }
        if (user == null && auth.password() != null) {
            throw refused("zk.lock.auth.username", "is not set, but a password is", "set it, or remove the password");
        }
        if (!digest && auth.data() == null) {
            throw refused(
                    "zk.lock.auth.data",
                    "is not set, but the scheme '" + auth.scheme() + "' is",
                    "set it, or remove the scheme");
        }
    }

    private static void notBlank(String property, @Nullable String value, String remedy) {
        if (value != null && value.isBlank()) {
            throw refused(property, "is blank", remedy);
        }
    }

    private static void positive(String property, Duration value) {
        if (value.compareTo(SHORTEST) < 0) {
            throw refused(property, shown(value) + " is not positive", "use 1ms or more");
        }
        atMost(property, value);
    }

    private static void zeroOrPositive(String property, @Nullable Duration value, String zero) {
        if (value != null && !value.isZero()) {
            if (value.compareTo(SHORTEST) < 0) {
                throw refused(property, shown(value) + " is less than a millisecond", zero + ", or 1ms or more");
            }
            atMost(property, value);
        }
    }

    private static void zeroOrMore(String property, Duration value, String zero) {
        if (value.isNegative()) {
            throw refused(property, shown(value) + " is negative", zero);
        }
        atMost(property, value);
    }

    private static void atMost(String property, Duration value) {
        if (value.compareTo(LONGEST) > 0) {
            throw refused(property, shown(value) + " is longer than 24 days", "use less");
        }
    }

    private static InvalidZkLockPropertyException refused(String property, String fact, String remedy) {
        return new InvalidZkLockPropertyException(property, fact, remedy);
    }

    private static String shown(Duration value) {
        return DurationFormatterUtils.print(value, DurationFormat.Style.COMPOSITE);
    }
}
