package io.github.zklock;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The canonical name of a lock: a path of one or more segments. {@code order-stats}, {@code /order-stats} and {@code
 * /order-stats/} are the same name. {@code /orders} and {@code /orders/42} name independent locks.
 *
 * <p>A segment may contain any character except control characters and line separators. Not allowed are empty names and
 * segments, {@code .} and {@code ..}, names longer than {@value #MAX_LENGTH} characters, unpaired surrogates, and
 * segments that look like a node of a lock's queue.
 *
 * @param value the name with a leading and without a trailing slash
 */
public record LockName(String value) {

    /** The length of the longest name, in characters. */
    public static final int MAX_LENGTH = 512;

    private static final int LONGEST_SHOWN = 64;

    /** Characters that break a line of a log, or that are invisible, reordered or replaced in a log. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

    private static final Pattern SEAT = Pattern.compile(
            ".*(-lock-|-__READ__|-__WRIT__|-permits-\\d+-of-\\d+-|^lock-|^__READ__|^__WRIT__)-?\\d{10}$");

    /**
     * Creates the canonical form of this name.
     *
     * @throws IllegalArgumentException if the value is not a lock name; the message states the reason
     */
    public LockName {
        value = canonical(Objects.requireNonNull(value, "The name of a lock must not be null"));
        for (String segment : value.substring(1).split("/", -1)) {
            checkSegment(segment, value);
        }
    }

    /**
     * Returns the canonical form of this name.
     *
     * @throws IllegalArgumentException if it is not a lock name; the message states the reason
     */
    public static LockName of(String name) {
        return new LockName(name);
    }

    /** Returns the parts between the slashes. */
    public List<String> segments() {
        return List.of(value.substring(1).split("/"));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockName name && name.value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }

    private static String canonical(String name) {
        String path = name.startsWith("/") ? name : "/" + name;
        String canonical = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (canonical.length() > MAX_LENGTH) {
            throw refused(
                    canonical,
                    "has " + canonical.length() + " characters with its leading slash; use at most " + MAX_LENGTH);
        }
        return canonical;
    }

    private static void checkSegment(String segment, String name) {
        if (segment.isEmpty()) {
            throw refused(name, "has an empty segment; give each part between slashes a name");
        }
        if (segment.equals(".") || segment.equals("..")) {
            throw refused(
                    name, "has the segment '" + segment + "'; relative paths are not resolved, spell the name out");
        }
        if (looksLikeSeat(segment)) {
            throw refused(name, "has a segment that looks like a node of a lock's queue; choose another one");
        }
        for (int i = 0; i < segment.length(); i++) {
            checkCharacter(segment, i, name);
        }
    }

    /**
     * Returns whether this may be the name of a seat. Only a segment that ends with a digit is matched against the
     * pattern, because each call of a lock checks its name.
     */
    private static boolean looksLikeSeat(String segment) {
        char last = segment.charAt(segment.length() - 1);
        return last >= '0' && last <= '9' && SEAT.matcher(segment).matches();
    }

    private static void checkCharacter(String segment, int index, String name) {
        char c = segment.charAt(index);
        if (Character.isISOControl(c)) {
            throw refused(name, "has the control character %s; remove it".formatted(codeOf(c)));
        }
        if (c == '\u2028' || c == '\u2029') {
            throw refused(name, "has the line separator %s; remove it".formatted(codeOf(c)));
        }
        boolean paired = Character.isHighSurrogate(c)
                ? index + 1 < segment.length() && Character.isLowSurrogate(segment.charAt(index + 1))
                : !Character.isLowSurrogate(c) || (index > 0 && Character.isHighSurrogate(segment.charAt(index - 1)));
        if (!paired) {
            throw refused(name, "has the unpaired surrogate %s, half a character; remove it".formatted(codeOf(c)));
        }
    }

    private static String codeOf(char c) {
        return "U+%04X".formatted((int) c);
    }

    private static IllegalArgumentException refused(String name, String reason) {
        String start = name.length() <= LONGEST_SHOWN ? name : name.substring(0, LONGEST_SHOWN) + "...";
        return new IllegalArgumentException(
                "Lock name '" + UNPRINTABLE.matcher(start).replaceAll("?") + "' " + reason);
    }
}
