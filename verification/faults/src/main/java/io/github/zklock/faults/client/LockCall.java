package io.github.zklock.faults.client;

import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.Locale;

/**
 * A call for a lock: {@code forever exclusive}, {@code acquire-1000 read} or {@code try-0 write}.
 *
 * @param maxWait the longest time to wait; meaningless for {@link How#FOREVER}
 */
public record LockCall(How how, Duration maxWait, LockSpec spec) {

    /** What the call does if the lock is held. */
    public enum How {
        FOREVER,
        ACQUIRE,
        TRY
    }

    /** Returns a call that waits without a limit. */
    static LockCall forever(LockSpec spec) {
        return new LockCall(How.FOREVER, Duration.ZERO, spec);
    }

    public static LockCall parse(String how, String spec) {
        String[] parts = how.split("-", -1);
        Duration maxWait = parts.length == 1 ? Duration.ZERO : Duration.ofMillis(Long.parseLong(parts[1]));
        return new LockCall(How.valueOf(parts[0].toUpperCase(Locale.ROOT)), maxWait, LockSpec.parse(spec));
    }

    @Override
    public String toString() {
        String word = how.name().toLowerCase(Locale.ROOT);
        return (how == How.FOREVER ? word : word + "-" + maxWait.toMillis()) + " " + spec;
    }
}
