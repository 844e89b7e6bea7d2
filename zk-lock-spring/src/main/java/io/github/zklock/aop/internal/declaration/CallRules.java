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
 * The attributes of annotations that concern a call as a whole.
 *
 * @param waitTime null to use the configured value
 * @param holdAtLeast zero to release the lock when the call ends
 * @param maxHold null to use the configured value
 */
record CallRules(
        @Nullable WaitTime waitTime,
        OnBusy onBusy,
        String fallback,
        OnLost onLost,
        Duration holdAtLeast,
        @Nullable Duration maxHold) {

    /**
     * Reads the attributes of an annotation.
     *
     * @throws IllegalArgumentException if an attribute is invalid or two contradict each other
     */
    static CallRules of(DistributedLock annotation, UnaryOperator<String> placeholders) {
        String waitTime = placeholders.apply(annotation.waitTime());
        Duration holdAtLeast = duration("holdAtLeast", placeholders.apply(annotation.holdAtLeast()));
        Duration maxHold = duration("maxHold", placeholders.apply(annotation.maxHold()));
        if (holdAtLeast != null && maxHold != null && holdAtLeast.compareTo(maxHold) > 0) {
            throw new IllegalArgumentException("holdAtLeast " + holdAtLeast + " exceeds maxHold " + maxHold
                    + ", so that the lock would always be lost;" + " use a maxHold that is longer than holdAtLeast");
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
