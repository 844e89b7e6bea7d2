package io.github.zklock.autoconfigure;

import io.github.zklock.HandOff;
import io.github.zklock.LockPolicy;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.CallDefaults;
import io.github.zklock.aop.WaitTime;
import io.github.zklock.autoconfigure.ZkLockProperties.HandOffOverride;
import io.github.zklock.autoconfigure.ZkLockProperties.HandOffRules;
import io.github.zklock.autoconfigure.ZkLockProperties.LockRule;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is in effect for a lock: for annotated methods that say nothing, and for the registry. */
record LockSettings(CallDefaults.Defaults calls, LockPolicy policy) {

    /** What is in effect where no rule is. */
    static LockSettings ofAll(ZkLockProperties properties) {
        HandOffRules handOff = properties.handoff();
        return new LockSettings(
                new CallDefaults.Defaults(
                        WaitTime.parse(properties.waitTime()), properties.onBusy(), properties.onLost()),
                new LockPolicy(
                        handOff(handOff.policy(), handOff.maxTurns(), handOff.maxTime(), handOff.linger()),
                        unlessZero(properties.maxHold()),
                        unlessZero(properties.holdWarningThreshold())));
    }

    /** The same with what a rule says. */
    LockSettings with(LockRule rule) {
        return new LockSettings(callsWith(rule), policyWith(rule));
    }

    private CallDefaults.Defaults callsWith(LockRule rule) {
        return new CallDefaults.Defaults(
                rule.waitTime() == null ? calls.waitTime() : WaitTime.parse(rule.waitTime()),
                rule.onBusy() == null || rule.onBusy() == OnBusy.AS_CONFIGURED ? calls.onBusy() : rule.onBusy(),
                rule.onLost() == null || rule.onLost() == OnLost.AS_CONFIGURED ? calls.onLost() : rule.onLost());
    }

    private LockPolicy policyWith(LockRule rule) {
        HandOff handOff = policy.handOff();
        HandOffOverride own = rule.handoff();
        return new LockPolicy(
                handOff(
                        own.policy() == null ? handOff.policy() : own.policy(),
                        own.maxTurns() == null ? handOff.maxTurns() : own.maxTurns(),
                        own.maxTime() == null ? handOff.maxTime() : own.maxTime(),
                        own.linger() == null ? handOff.linger() : own.linger()),
                rule.maxHold() == null ? policy.maxHold() : unlessZero(rule.maxHold()),
                rule.holdWarningThreshold() == null ? policy.holdWarning() : unlessZero(rule.holdWarningThreshold()));
    }

    private static HandOff handOff(HandOff.Policy policy, int maxTurns, Duration maxTime, Duration linger) {
        // a strict rule over a lingering default is meant to be strict
        boolean lingers = policy == HandOff.Policy.BOUNDED;
        return new HandOff(policy, maxTurns, maxTime, lingers ? linger : Duration.ZERO);
    }

    private static @Nullable Duration unlessZero(@Nullable Duration value) {
        return value == null || value.isZero() ? null : value;
    }
}
