package io.github.zklock.autoconfigure;

import io.github.zklock.HandOff;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.CallDefaults;
import io.github.zklock.aop.WaitTime;
import io.github.zklock.autoconfigure.ZkLockProperties.LockRule;
import io.github.zklock.support.NamePattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effective settings of each lock: the first entry of {@code zk.lock.locks} that matches the name, merged with the
 * general settings. It caches no names, because their number is unlimited.
 */
final class LockOverrides implements CallDefaults {

    private static final String REMEDY = "use a name or a pattern such as /orders/42, /orders/* or /orders/**";

    private record Entry(NamePattern pattern, LockSettings settings) {}

    private final LockSettings ofAll;
    private final List<Entry> entries = new ArrayList<>();

    LockOverrides(ZkLockProperties properties) {
        ofAll = LockSettings.ofAll(properties);
        for (int i = 0; i < properties.locks().size(); i++) {
            LockRule rule = properties.locks().get(i);
            entries.add(new Entry(pattern(property(i), rule.name()), ofAll.with(rule)));
        }
    }

    LockPolicy policy(LockName name) {
        return settings(name).policy();
    }

    @Override
    public Defaults of(LockName name) {
        return settings(name).calls();
    }

    @Override
    public Defaults general() {
        return ofAll.calls();
    }

    private LockSettings settings(LockName name) {
        for (Entry entry : entries) {
            if (entry.pattern().matches(name)) {
                return entry.settings();
            }
        }
        return ofAll;
    }

    /** Rejects entries that match no lock, and entries that an earlier entry hides. */
    static void check(List<LockRule> rules) {
        List<NamePattern> patterns = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            NamePattern pattern = pattern(property(i), rules.get(i).name());
            for (int earlier = 0; earlier < i; earlier++) {
                if (patterns.get(earlier).hides(pattern)) {
                    throw new InvalidZkLockPropertyException(
                            property(i),
                            "'" + pattern + "' is never reached: " + property(earlier) + " '" + patterns.get(earlier)
                                    + "' matches it first",
                            "put the more specific pattern first");
                }
            }
            patterns.add(pattern);
        }
    }

    private static NamePattern pattern(String property, @Nullable String text) {
        if (text == null || text.isBlank()) {
            throw new InvalidZkLockPropertyException(property, "is not set", REMEDY);
        }
        try {
            return new NamePattern(text);
        } catch (IllegalArgumentException wrong) {
            throw new InvalidZkLockPropertyException(property, "matches no lock (" + wrong.getMessage() + ")", REMEDY);
        }
    }

    private static String property(int index) {
        return "zk.lock.locks[" + index + "].name";
    }

    /** The effective settings of a lock: the defaults of annotated methods, and the policy of the registry. */
    private record LockSettings(Defaults calls, LockPolicy policy) {

        /** Returns the general settings, without a rule. */
        static LockSettings ofAll(ZkLockProperties properties) {
            return new LockSettings(
                    new Defaults(WaitTime.parse(properties.waitTime()), properties.onBusy(), properties.onLost()),
                    new LockPolicy(
                            handOff(
                                    properties.handoff().policy(),
                                    properties.handoff().linger()),
                            unlessZero(properties.maxHold()),
                            unlessZero(properties.holdWarningThreshold())));
        }

        /** Returns these settings with the values of a rule in their place. */
        LockSettings with(LockRule rule) {
            return new LockSettings(
                    new Defaults(
                            rule.waitTime() == null ? calls.waitTime() : WaitTime.parse(rule.waitTime()),
                            rule.onBusy() == OnBusy.AS_CONFIGURED
                                    ? calls.onBusy()
                                    : orElse(rule.onBusy(), calls.onBusy()),
                            rule.onLost() == OnLost.AS_CONFIGURED
                                    ? calls.onLost()
                                    : orElse(rule.onLost(), calls.onLost())),
                    new LockPolicy(
                            handOff(
                                    orElse(
                                            rule.handoff().policy(),
                                            policy.handOff().policy()),
                                    orElse(
                                            rule.handoff().linger(),
                                            policy.handOff().linger())),
                            rule.maxHold() == null ? policy.maxHold() : unlessZero(rule.maxHold()),
                            rule.holdWarningThreshold() == null
                                    ? policy.holdWarning()
                                    : unlessZero(rule.holdWarningThreshold())));
        }

        private static <T> T orElse(@Nullable T own, T general) {
            return own == null ? general : own;
        }

        private static HandOff handOff(HandOff.Policy policy, Duration linger) {
            HandOff general = LockPolicy.defaults().handOff();
            // a strict rule ignores the linger of the general settings
            boolean lingers = policy == HandOff.Policy.BOUNDED;
            return new HandOff(policy, general.maxTurns(), general.maxTime(), lingers ? linger : Duration.ZERO);
        }

        private static @Nullable Duration unlessZero(@Nullable Duration value) {
            return value == null || value.isZero() ? null : value;
        }
    }
}
