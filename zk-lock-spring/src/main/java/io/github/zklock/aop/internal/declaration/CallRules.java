package io.github.zklock.aop.internal.declaration;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.WaitTime;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What annotations say of a call as a whole.
 *
 * @param waitTime null if it is as configured
 * @param holdAtLeast zero if the lock is given back as soon as the call ends
 * @param maxHold null if it is as configured
 */
public record CallRules(
        @Nullable WaitTime waitTime,
        OnBusy onBusy,
        String fallback,
        OnLost onLost,
        Duration holdAtLeast,
        @Nullable Duration maxHold) {

    /**
     * Reads the attributes.
     *
     * @throws IllegalArgumentException if one is wrong or two contradict each other
     */
    static CallRules of(DistributedLock annotation, UnaryOperator<String> placeholders) {
        String waitTime = placeholders.apply(annotation.waitTime());
        Duration holdAtLeast = duration("holdAtLeast", placeholders.apply(annotation.holdAtLeast()));
        Duration maxHold = duration("maxHold", placeholders.apply(annotation.maxHold()));
        if (holdAtLeast != null && maxHold != null && holdAtLeast.compareTo(maxHold) > 0) {
            throw new IllegalArgumentException(
                    "holdAtLeast " + holdAtLeast + " exceeds maxHold " + maxHold + ": the lock would always be lost");
        }
        return new CallRules(
                waitTime.isBlank() ? null : read("waitTime", () -> WaitTime.parse(waitTime)),
                annotation.onBusy(),
                annotation.fallback(),
                annotation.onLost(),
                holdAtLeast == null ? Duration.ZERO : holdAtLeast,
                maxHold);
    }

    private static @Nullable Duration duration(String attribute, String text) {
        if (text.isBlank()) {
            return null;
        }
        Duration value = read(attribute, () -> WaitTime.parseDuration(text));
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(attribute + " " + text + " is not positive; leave it out for none");
        }
        return value;
    }

    private static <T> T read(String attribute, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(attribute + " " + refused.getMessage(), refused);
        }
    }
}
