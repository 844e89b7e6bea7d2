package io.github.zklock.faults;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockRegistry;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process wants of the lock, written as {@code exclusive}, {@code read}, {@code write} or {@code permits-2-of-3}.
 *
 * @param permits how many of a semaphore's permits; 1 for other kinds
 * @param of how many permits the semaphore has; 1 for other kinds
 */
record Wish(LockKind kind, int permits, int of) {

    private static final Pattern PERMITS = Pattern.compile("permits-(\\d+)-of-(\\d+)");

    static Wish parse(String word) {
        Matcher permits = PERMITS.matcher(word);
        if (permits.matches()) {
            return new Wish(LockKind.PERMITS, Integer.parseInt(permits.group(1)), Integer.parseInt(permits.group(2)));
        }
        return switch (word) {
            case "exclusive" -> new Wish(LockKind.EXCLUSIVE, 1, 1);
            case "read" -> new Wish(LockKind.READ, 1, 1);
            case "write" -> new Wish(LockKind.WRITE, 1, 1);
            default -> throw new IllegalArgumentException("Unknown wish " + word);
        };
    }

    LockHandle acquire(LockRegistry registry, String name) throws InterruptedException {
        return kind == LockKind.PERMITS
                ? registry.semaphore(name, of).acquire(permits)
                : lock(registry, name).acquire();
    }

    /** Whether it shares the lock with nobody, and its tokens count. */
    boolean isAlone() {
        return kind == LockKind.EXCLUSIVE || kind == LockKind.WRITE;
    }

    /** Whether it may be granted to somebody while these are granted to others. */
    boolean fitsBeside(List<Wish> others) {
        return switch (kind) {
            case EXCLUSIVE, WRITE -> others.isEmpty();
            case READ -> others.stream().allMatch(other -> other.kind == LockKind.READ);
            case PERMITS ->
                others.stream().allMatch(other -> other.kind == LockKind.PERMITS && other.of == of)
                        && permits + others.stream().mapToInt(Wish::permits).sum() <= of;
        };
    }

    private ClusterLock lock(LockRegistry registry, String name) {
        return switch (kind) {
            case READ -> registry.readWriteLock(name).readLock();
            case WRITE -> registry.readWriteLock(name).writeLock();
            case EXCLUSIVE -> registry.lock(name);
            case PERMITS -> throw new IllegalStateException("Permits are of no lock");
        };
    }

    @Override
    public String toString() {
        return switch (kind) {
            case EXCLUSIVE -> "exclusive";
            case READ -> "read";
            case WRITE -> "write";
            case PERMITS -> "permits-" + permits + "-of-" + of;
        };
    }
}
