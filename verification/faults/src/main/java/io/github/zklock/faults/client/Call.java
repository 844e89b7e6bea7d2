package io.github.zklock.faults.client;

import io.github.zklock.faults.record.Wish;
import java.time.Duration;
import java.util.Locale;

/**
 * How a lock is asked for, written as {@code forever exclusive}, {@code acquire-1000 read} or {@code try-0 write}.
 *
 * @param maxWait for how long at most; of no meaning for {@link How#FOREVER}
 */
public record Call(How how, Duration maxWait, Wish wish) {

    /** What happens if it is not there. */
    public enum How {
        FOREVER,
        ACQUIRE,
        TRY
    }

    public static Call parse(String how, String wish) {
        String[] parts = how.split("-", -1);
        Duration maxWait = parts.length == 1 ? Duration.ZERO : Duration.ofMillis(Long.parseLong(parts[1]));
        return switch (parts[0]) {
            case "forever" -> new Call(How.FOREVER, maxWait, Wish.parse(wish));
            case "acquire" -> new Call(How.ACQUIRE, maxWait, Wish.parse(wish));
            case "try" -> new Call(How.TRY, maxWait, Wish.parse(wish));
            default -> throw new IllegalArgumentException("Unknown way to ask: " + how);
        };
    }

    @Override
    public String toString() {
        String word = how.name().toLowerCase(Locale.ROOT);
        return (how == How.FOREVER ? word : word + "-" + maxWait.toMillis()) + " " + wish;
    }
}
