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

/** The effective settings of a lock: the defaults of annotated methods, and the policy of the registry. */
record LockSettings(CallDefaults.Defaults calls, LockPolicy policy) {

    /** Returns the general settings, without a rule. */
    static LockSettings ofAll(ZkLockProperties properties) {
        HandOffRules handOff = properties.getHandoff();
        return new LockSettings(
                new CallDefaults.Defaults(
                        WaitTime.parse(properties.getWaitTime()), properties.getOnBusy(), properties.getOnLost()),
                new LockPolicy(
                        handOff(handOff.getPolicy(), handOff.getMaxTurns(), handOff.getMaxTime(), handOff.getLinger()),
                        unlessZero(properties.getMaxHold()),
                        unlessZero(properties.getHoldWarningThreshold())));
    }

    /** Returns these settings with the values of a rule in their place. */
    LockSettings with(LockRule rule) {
        return new LockSettings(callsWith(rule), policyWith(rule));
    }

    private CallDefaults.Defaults callsWith(LockRule rule) {
        String waitTime = rule.getWaitTime();
        OnBusy onBusy = rule.getOnBusy();
        OnLost onLost = rule.getOnLost();
        return new CallDefaults.Defaults(
                waitTime == null ? calls.waitTime() : WaitTime.parse(waitTime),
                onBusy == null || onBusy == OnBusy.AS_CONFIGURED ? calls.onBusy() : onBusy,
                onLost == null || onLost == OnLost.AS_CONFIGURED ? calls.onLost() : onLost);
    }

    private LockPolicy policyWith(LockRule rule) {
        HandOff handOff = policy.handOff();
        HandOffOverride own = rule.getHandoff();
        return new LockPolicy(
                handOff(
                        orElse(own.getPolicy(), handOff.policy()),
                        orElse(own.getMaxTurns(), handOff.maxTurns()),
                        orElse(own.getMaxTime(), handOff.maxTime()),
                        orElse(own.getLinger(), handOff.linger())),
                rule.getMaxHold() == null ? policy.maxHold() : unlessZero(rule.getMaxHold()),
                rule.getHoldWarningThreshold() == null
                        ? policy.holdWarning()
                        : unlessZero(rule.getHoldWarningThreshold()));
    }

    private static <T> T orElse(@Nullable T own, T general) {
        return own == null ? general : own;
    }

    private static HandOff handOff(HandOff.Policy policy, int maxTurns, Duration maxTime, Duration linger) {
        // a strict rule ignores the linger of the general settings
        boolean lingers = policy == HandOff.Policy.BOUNDED;
        return new HandOff(policy, maxTurns, maxTime, lingers ? linger : Duration.ZERO);
    }

    private static @Nullable Duration unlessZero(@Nullable Duration value) {
        return value == null || value.isZero() ? null : value;
    }
}
