package io.github.zklock.faults.timeline;

import io.github.zklock.LockKind;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process acquires: {@code exclusive}, {@code read}, {@code write} or {@code permits-2-of-3}, followed by
 * {@code @} and the name of the lock if it is not the usual one.
 *
 * @param permits the number of permits; 1 for kinds other than semaphores
 * @param of the permits of the semaphore; 1 for other kinds
 * @param lock the name of the lock
 */
public record LockSpec(LockKind kind, int permits, int of, String lock) {

    /** The lock of most scenarios. */
    public static final String USUAL_LOCK = "lock";

    /** The lock that each process acquires first, to test its connection. */
    public static final String FIRST_LOCK = "first";

    private static final Pattern PERMITS = Pattern.compile("permits-(\\d+)-of-(\\d+)");

    public static LockSpec parse(String word) {
        String[] parts = word.split("@", 2);
        String lock = parts.length == 1 ? USUAL_LOCK : parts[1];
        Matcher permits = PERMITS.matcher(parts[0]);
        if (permits.matches()) {
            return new LockSpec(
                    LockKind.PERMITS, Integer.parseInt(permits.group(1)), Integer.parseInt(permits.group(2)), lock);
        }
        return switch (parts[0]) {
            case "exclusive" -> new LockSpec(LockKind.EXCLUSIVE, 1, 1, lock);
            case "read" -> new LockSpec(LockKind.READ, 1, 1, lock);
            case "write" -> new LockSpec(LockKind.WRITE, 1, 1, lock);
            default -> throw new IllegalArgumentException("Unknown lock specification " + word);
        };
    }

    /** Returns whether this excludes all other holders. Only then are tokens compared. */
    public boolean isExclusive() {
        return kind == LockKind.EXCLUSIVE || kind == LockKind.WRITE;
    }

    /** Returns whether both can refer to the same lock, which has one kind. */
    public boolean agreesWith(LockSpec other) {
        return switch (kind) {
            case EXCLUSIVE -> other.kind == LockKind.EXCLUSIVE;
            case READ, WRITE -> other.kind == LockKind.READ || other.kind == LockKind.WRITE;
            case PERMITS -> other.kind == LockKind.PERMITS;
        };
    }

    /**
     * Returns whether this may be granted while these are held. If semaphores differ in their number of permits, the
     * smallest number counts.
     */
    public boolean fitsBeside(List<LockSpec> others) {
        return switch (kind) {
            case EXCLUSIVE, WRITE -> others.isEmpty();
            case READ -> others.stream().allMatch(other -> other.kind == LockKind.READ);
            case PERMITS ->
                others.stream().allMatch(other -> other.kind == LockKind.PERMITS)
                        && permits + others.stream().mapToInt(LockSpec::permits).sum()
                                <= others.stream().mapToInt(LockSpec::of).reduce(of, Math::min);
        };
    }

    @Override
    public String toString() {
        String word = kind.name().toLowerCase(Locale.ROOT);
        String what = kind == LockKind.PERMITS ? word + "-" + permits + "-of-" + of : word;
        return lock.equals(USUAL_LOCK) ? what : what + "@" + lock;
    }
}
