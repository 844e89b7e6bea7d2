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
        HandOffRules handOff = properties.getHandoff();
        return new LockSettings(
                new CallDefaults.Defaults(
                        WaitTime.parse(properties.getWaitTime()), properties.getOnBusy(), properties.getOnLost()),
                new LockPolicy(
                        handOff(handOff.getPolicy(), handOff.getMaxTurns(), handOff.getMaxTime(), handOff.getLinger()),
                        unlessZero(properties.getMaxHold()),
                        unlessZero(properties.getHoldWarningThreshold())));
    }

    /** The same with what a rule says. */
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
        // a strict rule over a lingering default is meant to be strict
        boolean lingers = policy == HandOff.Policy.BOUNDED;
        return new HandOff(policy, maxTurns, maxTime, lingers ? linger : Duration.ZERO);
    }

    private static @Nullable Duration unlessZero(@Nullable Duration value) {
        return value == null || value.isZero() ? null : value;
    }
}
