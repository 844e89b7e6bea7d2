package io.github.zklock.autoconfigure;

import io.github.zklock.HandOff;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.WaitTime;
import io.github.zklock.autoconfigure.ZkLockProperties.Auth;
import io.github.zklock.autoconfigure.ZkLockProperties.LockRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/**
 * Validates the values of {@code zk.lock.*} and reports all invalid values at once. Spring Boot's {@code
 * InvalidConfigurationPropertyValueException} reports one, and prints its value, which can be a secret.
 */
final class PropertyChecks {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration SHORTEST_SESSION = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

    private final List<InvalidZkLockPropertyException> mistakes = new ArrayList<>();

    private PropertyChecks() {}

    /** Rejects all invalid values. The later ones are suppressed exceptions of the first one. */
    static void check(ZkLockProperties properties) {
        PropertyChecks checks = new PropertyChecks();
        checks.client(properties);
        checks.auth(properties.auth());
        checks.locks(properties);
        if (!checks.mistakes.isEmpty()) {
            InvalidZkLockPropertyException first = checks.mistakes.remove(0);
            checks.mistakes.forEach(first::addSuppressed);
            throw first;
        }
    }

    private void client(ZkLockProperties properties) {
        String servers = properties.connectString();
        // a blank value counts as unset if other connection details are used; where it is used, it is rejected
        if (servers != null && !servers.isBlank()) {
            unlessThrown(() -> ConnectString.check("zk.lock.connect-string", servers));
        }
        sessionTimeout(properties.sessionTimeout());
        positive("zk.lock.connection-timeout", properties.connectionTimeout());
        positive("zk.lock.startup-timeout", properties.startupTimeout());
        zeroOrMore("zk.lock.shutdown-timeout", properties.shutdownTimeout(), "use 0 not to wait for holders");
        basePath(properties.basePath());
        notBlank("zk.lock.instance-id", properties.instanceId(), "name the process, or remove the property");
        notBlank(
                "zk.lock.ssl.bundle",
                properties.ssl().bundle(),
                "name an SSL bundle, or remove the property for plain connections");
        List<String> acl = properties.acl();
        if (acl != null) {
            unlessThrown(() -> AccessList.parse(acl));
        }
    }

    private void locks(ZkLockProperties properties) {
        HandOff.Policy policy = properties.handoff().policy();
        waitTime("zk.lock.wait-time", properties.waitTime());
        if (properties.onBusy() == OnBusy.AS_CONFIGURED) {
            refuse(
                    "zk.lock.on-busy",
                    "is as-configured, which only annotations can use",
                    "use throw, skip or fallback");
        }
        if (properties.onLost() == OnLost.AS_CONFIGURED) {
            refuse(
                    "zk.lock.on-lost",
                    "is as-configured, which only annotations can use",
                    "use throw-after, interrupt or notify");
        }
        linger("zk.lock", policy, properties.handoff().linger());
        limits("zk.lock", properties.maxHold(), properties.holdWarningThreshold());
        List<LockRule> rules = properties.locks();
        for (int i = 0; i < rules.size(); i++) {
            LockRule rule = rules.get(i);
            String prefix = "zk.lock.locks[" + i + "]";
            waitTime(prefix + ".wait-time", rule.waitTime());
            HandOff.Policy own = rule.handoff().policy();
            linger(prefix, own == null ? policy : own, rule.handoff().linger());
            limits(prefix, rule.maxHold(), rule.holdWarningThreshold());
        }
        unlessThrown(() -> LockOverrides.check(rules));
    }

    private void waitTime(String property, @Nullable String text) {
        try {
            if (text != null) {
                WaitTime.parse(text);
            }
        } catch (IllegalArgumentException wrong) {
            refuse(
                    property,
                    "'" + text + "' is not a time to wait",
                    "use a duration such as 10s, 0 not to wait, or forever");
        }
    }

    private void linger(String prefix, HandOff.Policy policy, @Nullable Duration linger) {
        String property = prefix + ".handoff.linger";
        if (zeroOrMore(property, linger, "use 0 for no linger")
                && linger != null
                && !linger.isZero()
                && policy == HandOff.Policy.STRICT) {
            refuse(
                    property,
                    shown(linger) + " contradicts the policy strict, whose seats serve one turn",
                    "remove it, or use the policy bounded");
        }
    }

    private void limits(String prefix, @Nullable Duration maxHold, @Nullable Duration warning) {
        zeroOrPositive(prefix + ".max-hold", maxHold, "use 0 for no limit");
        zeroOrPositive(prefix + ".hold-warning-threshold", warning, "use 0 for no warning");
    }

    private void sessionTimeout(Duration timeout) {
        if (positive("zk.lock.session-timeout", timeout) && timeout.compareTo(SHORTEST_SESSION) < 0) {
            refuse(
                    "zk.lock.session-timeout",
                    shown(timeout) + " is too short: a pause of the JVM or of the network would end the session",
                    "use 4s or more in production, and at least " + shown(SHORTEST_SESSION) + " in tests");
        }
    }

    private void basePath(String path) {
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException wrong) {
            refuse(
                    "zk.lock.base-path",
                    "'" + path + "' is not a ZooKeeper path (" + wrong.getMessage() + ")",
                    "use an absolute path without a slash at its end, such as /locks");
        }
        if (path.equals("/zookeeper") || path.startsWith("/zookeeper/")) {
            refuse("zk.lock.base-path", "'" + path + "' belongs to ZooKeeper itself", "use a path such as /locks");
        }
    }

    private void auth(Auth auth) {
        String user = auth.username();
        if (user == null) {
            if (auth.password() != null) {
                refuse("zk.lock.auth.username", "is not set, but a password is", "set it, or remove the password");
            }
            return;
        }
        notBlank("zk.lock.auth.username", user, "name a user, or remove the property");
        if (user.contains(":")) {
            refuse(
                    "zk.lock.auth.username",
                    "contains a colon, which separates username and password",
                    "choose a name without a colon");
        }
        if (!StringUtils.hasLength(auth.password())) {
            refuse("zk.lock.auth.password", "is not set, but a username is", "set it");
        }
    }

    private void notBlank(String property, @Nullable String value, String remedy) {
        if (value != null && value.isBlank()) {
            refuse(property, "is blank", remedy);
        }
    }

    /** Returns whether the value is valid. */
    private boolean positive(String property, @Nullable Duration value) {
        return value == null
                || (isAtLeast(SHORTEST, property, value, " is not positive", "use 1ms or more")
                        && isAtMost(property, value));
    }

    private void zeroOrPositive(String property, @Nullable Duration value, String zero) {
        if (value != null
                && !value.isZero()
                && isAtLeast(SHORTEST, property, value, " is less than a millisecond", zero + ", or 1ms or more")) {
            isAtMost(property, value);
        }
    }

    /** Returns whether the value is valid. */
    private boolean zeroOrMore(String property, @Nullable Duration value, String zero) {
        return value == null
                || (isAtLeast(Duration.ZERO, property, value, " is negative", zero) && isAtMost(property, value));
    }

    private boolean isAtLeast(Duration least, String property, Duration value, String fact, String remedy) {
        boolean valid = value.compareTo(least) >= 0;
        if (!valid) {
            refuse(property, shown(value) + fact, remedy);
        }
        return valid;
    }

    private boolean isAtMost(String property, Duration value) {
        boolean valid = value.compareTo(LONGEST) <= 0;
        if (!valid) {
            refuse(property, shown(value) + " is longer than 24 days", "use a shorter time");
        }
        return valid;
    }

    private void unlessThrown(Runnable check) {
        try {
            check.run();
        } catch (InvalidZkLockPropertyException mistake) {
            mistakes.add(mistake);
        }
    }

    private void refuse(String property, String fact, String remedy) {
        mistakes.add(new InvalidZkLockPropertyException(property, fact, remedy));
    }

    private static String shown(Duration value) {
        return DurationFormatterUtils.print(value, DurationFormat.Style.COMPOSITE);
    }
}
