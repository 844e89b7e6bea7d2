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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/** Validates the names and the values of {@code zk.lock.*}. */
final class PropertyChecks {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration SHORTEST_SESSION = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

    private static final DataSize SMALLEST_BUDGET = DataSize.ofKilobytes(1);

    /** Curator does not retry more often than this. */
    private static final int MOST_ATTEMPTS = 29;

    /**
     * The former names of properties, which are no longer bound, and what replaces them. {@code
     * additional-spring-configuration-metadata.json} contains the same names for editors and for the properties migrator.
     */
    static final Map<String, String> FORMER_NAMES = Map.of(
            "zk.lock.console.enabled", "management.endpoints.web.exposure.include",
            "zk.lock.console.path", "management.endpoints.web.path-mapping.lockconsole",
            "zk.lock.console.remote-access", "management.server.address",
            "zk.lock.drain", "zk.lock.shutdown-timeout",
            "zk.lock.instance", "zk.lock.instance-id",
            "zk.lock.retry.attempts", "zk.lock.retry.max-attempts",
            "zk.lock.retry.base", "zk.lock.retry.initial-interval",
            "zk.lock.retry.max", "zk.lock.retry.max-interval");

    private PropertyChecks() {}

    /** Rejects a value that is set under a former name. */
    static void checkNames(Environment environment) {
        Binder binder = Binder.get(environment);
        all(FORMER_NAMES.entrySet().stream().sorted(Map.Entry.comparingByKey()).map(name -> () -> {
            if (binder.bind(name.getKey(), String.class).isBound()) {
                throw refused(name.getKey(), "is no longer read", "use " + name.getValue());
            }
        }));
    }

    /** Rejects all invalid values at once. */
    static void check(ZkLockProperties properties) {
        all(
                () -> basics(properties),
                () -> seatBudget(properties.getSeatBudget()),
                () -> identity(properties.getAuth(), properties.getAcl(), properties.getSsl()),
                () -> locks(properties));
    }

    private static void all(Runnable... checks) {
        all(Stream.of(checks));
    }

    /** Makes all checks. If several of them fail, the later failures are suppressed exceptions of the first one. */
    private static void all(Stream<Runnable> checks) {
        List<Throwable> failures = new ArrayList<>();
        checks.forEach(check -> {
            try {
                check.run();
            } catch (InvalidZkLockPropertyException failure) {
                failures.add(failure);
                failures.addAll(List.of(failure.getSuppressed()));
            }
        });
        if (!failures.isEmpty()) {
            InvalidZkLockPropertyException first = (InvalidZkLockPropertyException) failures.remove(0);
            List<Throwable> known = List.of(first.getSuppressed());
            failures.stream().filter(failure -> !known.contains(failure)).forEach(first::addSuppressed);
            throw first;
        }
    }

    private static void basics(ZkLockProperties properties) {
        String connectString = properties.getConnectString();
        all(
                () -> {
                    // a blank value counts as unset if other connection details are used; where it is used, it is
                    // rejected
                    if (connectString != null && !connectString.isBlank()) {
                        ConnectString.check("zk.lock.connect-string", connectString);
                    }
                },
                () -> sessionTimeout(properties.getSessionTimeout()),
                () -> positive("zk.lock.connection-timeout", properties.getConnectionTimeout()),
                () -> positive("zk.lock.startup-timeout", properties.getStartupTimeout()),
                () -> zeroOrMore(
                        "zk.lock.shutdown-timeout", properties.getShutdownTimeout(), "use 0 not to wait for holders"),
                () -> retry(properties.getRetry()),
                () -> basePath(properties.getBasePath()),
                () -> notBlank(
                        "zk.lock.instance-id", properties.getInstanceId(), "name the process, or remove the property"));
    }

    /**
     * Checks the lower limit only. If the budget exceeds the default limit of the servers, the registry logs a warning.
     */
    private static void seatBudget(DataSize budget) {
        if (budget.compareTo(SMALLEST_BUDGET) < 0) {
            throw refused("zk.lock.seat-budget", budget + " is too small for a lock", "use 1KB or more");
        }
    }

    private static void identity(Auth auth, @Nullable List<String> acl, Ssl ssl) {
        all(
                () -> notBlank(
                        "zk.lock.ssl.bundle",
                        ssl.getBundle(),
                        "name an SSL bundle, or remove the property for plain connections"),
                () -> auth(auth),
                () -> {
                    if (acl != null) {
                        AccessList.parse(acl);
                    }
                });
    }

    private static void locks(ZkLockProperties properties) {
        HandOffRules handOff = properties.getHandoff();
        List<LockRule> locks = properties.getLocks();
        all(
                () -> waitTime("zk.lock.wait-time", properties.getWaitTime()),
                () -> notAsConfigured(
                        "zk.lock.on-busy",
                        properties.getOnBusy() == OnBusy.AS_CONFIGURED,
                        "use throw, skip or fallback"),
                () -> notAsConfigured(
                        "zk.lock.on-lost",
                        properties.getOnLost() == OnLost.AS_CONFIGURED,
                        "use throw-after, interrupt or notify"),
                () -> handOff(
                        "zk.lock.handoff",
                        handOff.getPolicy(),
                        handOff.getMaxTurns(),
                        handOff.getMaxTime(),
                        handOff.getLinger()),
                () -> zeroOrPositive("zk.lock.max-hold", properties.getMaxHold(), "use 0 for no limit"),
                () -> zeroOrPositive(
                        "zk.lock.hold-warning-threshold", properties.getHoldWarningThreshold(), "use 0 for no warning"),
                () -> all(IntStream.range(0, locks.size())
                        .mapToObj(i -> () -> rule("zk.lock.locks[" + i + "]", locks.get(i), handOff.getPolicy()))),
                () -> LockOverrides.check(locks));
    }

    private static void notAsConfigured(String property, boolean isAsConfigured, String remedy) {
        if (isAsConfigured) {
            throw refused(property, "is as-configured, which only annotations can use", remedy);
        }
    }

    private static void rule(String prefix, LockRule rule, HandOff.Policy inherited) {
        String waitTime = rule.getWaitTime();
        HandOffOverride own = rule.getHandoff();
        all(
                () -> {
                    if (waitTime != null) {
                        waitTime(prefix + ".wait-time", waitTime);
                    }
                },
                () -> handOff(
                        prefix + ".handoff",
                        own.getPolicy() == null ? inherited : own.getPolicy(),
                        own.getMaxTurns(),
                        own.getMaxTime(),
                        own.getLinger()),
                () -> zeroOrPositive(prefix + ".max-hold", rule.getMaxHold(), "use 0 for no limit"),
                () -> zeroOrPositive(
                        prefix + ".hold-warning-threshold", rule.getHoldWarningThreshold(), "use 0 for no warning"));
    }

    private static void waitTime(String property, String text) {
        try {
            WaitTime.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw refused(
                    property,
                    "'" + text + "' is not a time to wait",
                    "use a duration such as 10s, 0 not to wait, or forever");
        }
    }

    private static void handOff(
            String prefix,
            HandOff.Policy policy,
            @Nullable Integer maxTurns,
            @Nullable Duration maxTime,
            @Nullable Duration linger) {
        if (maxTurns != null && maxTurns < 1) {
            throw refused(prefix + ".max-turns", maxTurns + " is not positive", "use 1 or more");
        }
        if (maxTime != null) {
            positive(prefix + ".max-time", maxTime);
        }
        if (linger != null) {
            zeroOrMore(prefix + ".linger", linger, "use 0 for no linger");
            if (!linger.isZero() && policy == HandOff.Policy.STRICT) {
                throw refused(
                        prefix + ".linger",
                        shown(linger) + " contradicts the policy strict, whose seats serve one turn",
                        "remove it, or use the policy bounded");
            }
        }
    }

    private static void sessionTimeout(Duration timeout) {
        positive("zk.lock.session-timeout", timeout);
        if (timeout.compareTo(SHORTEST_SESSION) < 0) {
            throw refused(
                    "zk.lock.session-timeout",
                    shown(timeout) + " is too short: a pause of the JVM or of the network would end the session",
                    "use 4s or more in production, and at least " + shown(SHORTEST_SESSION) + " in tests");
        }
    }

    private static void retry(Retry retry) {
        Duration initial = retry.getInitialInterval();
        Duration max = retry.getMaxInterval();
        positive("zk.lock.retry.initial-interval", initial);
        positive("zk.lock.retry.max-interval", max);
        if (initial.compareTo(max) > 0) {
            throw refused(
                    "zk.lock.retry.initial-interval",
                    shown(initial) + " exceeds zk.lock.retry.max-interval, which is " + shown(max),
                    "use a value that is not longer");
        }
        if (retry.getMaxAttempts() < 0 || retry.getMaxAttempts() > MOST_ATTEMPTS) {
            throw refused(
                    "zk.lock.retry.max-attempts",
                    retry.getMaxAttempts() + " is not from 0 to " + MOST_ATTEMPTS,
                    "use a number in between; it does not limit the wait for a lock");
        }
    }

    private static void basePath(String path) {
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException wrong) {
            throw refused(
                    "zk.lock.base-path",
                    "'" + path + "' is not a ZooKeeper path (" + wrong.getMessage() + ")",
                    "use an absolute path without a slash at its end, such as /locks");
        }
        if (path.equals("/zookeeper") || path.startsWith("/zookeeper/")) {
            throw refused(
                    "zk.lock.base-path", "'" + path + "' belongs to ZooKeeper itself", "use a path such as /locks");
        }
    }

    private static void auth(Auth auth) {
        boolean digest = auth.getScheme().equals("digest");
        String user = auth.getUsername();
        notBlank("zk.lock.auth.scheme", auth.getScheme(), "use digest, or name another scheme of the servers");
        notBlank("zk.lock.auth.username", user, "name a user, or remove the property");
        if (user != null && auth.getData() != null) {
            throw refused("zk.lock.auth.data", "is set together with a username", "remove one of them");
        }
        if (user != null && !digest) {
            throw refused(
                    "zk.lock.auth.username",
                    "is set for the scheme '" + auth.getScheme() + "', but only digest uses a username",
                    "put the credentials into zk.lock.auth.data");
        }
        if (user != null && user.contains(":")) {
            throw refused(
                    "zk.lock.auth.username",
                    "contains a colon, which separates username and password",
                    "choose a name without a colon");
        }
        if (user != null && !StringUtils.hasLength(auth.getPassword())) {
            throw refused("zk.lock.auth.password", "is not set, but a username is", "set it");
        }
        if (user == null && auth.getPassword() != null) {
            throw refused("zk.lock.auth.username", "is not set, but a password is", "set it, or remove the password");
        }
        if (!digest && auth.getData() == null) {
            throw refused(
                    "zk.lock.auth.data",
                    "is not set, but the scheme '" + auth.getScheme() + "' is",
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
            throw refused(property, shown(value) + " is longer than 24 days", "use a shorter time");
        }
    }

    private static InvalidZkLockPropertyException refused(String property, String fact, String remedy) {
        return new InvalidZkLockPropertyException(property, fact, remedy);
    }

    private static String shown(Duration value) {
        return DurationFormatterUtils.print(value, DurationFormat.Style.COMPOSITE);
    }
}
