package io.github.zklock.aop.internal.declaration;

import io.github.zklock.OncePer;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.annotation.RunOncePer;
import io.github.zklock.aop.WaitTime;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * The attributes of annotations that concern a call as a whole.
 *
 * @param waitTime null to use the configured value
 * @param maxHold null to use the configured value
 * @param window the window in which the call runs at most once; null if each call runs
 */
record CallRules(
        @Nullable WaitTime waitTime,
        OnBusy onBusy,
        String fallback,
        OnLost onLost,
        @Nullable Duration maxHold,
        @Nullable OncePer window) {

    /**
     * Reads the attributes of an annotation, and those of the {@link RunOncePer} of which it is a meta-annotation.
     *
     * @throws IllegalArgumentException if an attribute is invalid or two contradict each other
     */
    static CallRules of(MergedAnnotation<DistributedLock> merged, UnaryOperator<String> placeholders) {
        DistributedLock annotation = merged.synthesize();
        RunOncePer once = runOncePer(merged);
        String waitTime = placeholders.apply(annotation.waitTime());
        Duration maxHold = duration("maxHold", placeholders.apply(annotation.maxHold()));
        return new CallRules(
                waitTime.isBlank() ? null : read("waitTime", () -> WaitTime.parse(waitTime)),
                annotation.onBusy(),
                annotation.fallback(),
                annotation.onLost(),
                maxHold,
                once == null ? null : window(once, placeholders));
    }

    private static @Nullable RunOncePer runOncePer(MergedAnnotation<?> annotation) {
        for (MergedAnnotation<?> each = annotation; each != null; each = each.getMetaSource()) {
            if (each.synthesize() instanceof RunOncePer once) {
                return once;
            }
        }
        return null;
    }

    private static OncePer window(RunOncePer once, UnaryOperator<String> placeholders) {
        String length = placeholders.apply(once.window());
        String tolerance = placeholders.apply(once.tolerance());
        String zone = placeholders.apply(once.alignedIn());
        OncePer window = OncePer.of(read("window", () -> WaitTime.parseDuration(length)));
        if (!tolerance.isBlank()) {
            window = window.tolerating(read("tolerance", () -> WaitTime.parseDuration(tolerance)));
        }
        if (!zone.isBlank()) {
            window = window.alignedIn(zone(zone));
        }
        return window.counting(once.counting());
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text.strip());
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "alignedIn '" + text + "' is not a time zone; write UTC or Europe/Berlin", unknown);
        }
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
