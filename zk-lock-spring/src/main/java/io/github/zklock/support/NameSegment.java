package io.github.zklock.support;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Encodes any text as one segment of a lock's name. Invariant: two texts have the same segment only if they are equal.
 * Plain text is unchanged. {@code /}, {@code %} and characters that a lock name must not contain become {@code %} and a
 * code. Text that is too long is cut, and ends with the SHA-256 digest of the whole.
 */
public final class NameSegment {

    /** Longer segments are cut, so that the lock's name has room for the segments before them. */
    static final int MAX_LENGTH = 320;

    private static final int KEPT = 240;

    private static final int SURELY_NO_SEAT = 14;

    /** Texts that a lock name rejects because they look like the node of a seat. */
    private static final Pattern LIKE_A_SEAT = Pattern.compile(
            "(lock-|__READ__|__WRIT__|.*(-lock-|-__READ__|-__WRIT__|-permits-\\d+-of-\\d+-))-?\\d{10}", Pattern.DOTALL);

    private NameSegment() {}

    /** Returns the segment for this text. */
    public static String of(String text) {
        return isOrdinary(text) ? text : encoded(text);
    }

    private static boolean isOrdinary(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && c != '-' && c != ':') {
                return false;
            }
        }
        // such a text is too short to look like a seat or to be cut
        return !text.isEmpty() && text.length() <= SURELY_NO_SEAT;
    }

    private static String encoded(String text) {
        if (text.isEmpty()) {
            // % without a code is the result of no other text
            return "%";
        }
        boolean dots = text.equals(".") || text.equals("..");
        int seatDigit = LIKE_A_SEAT.matcher(text).matches() ? text.length() - 1 : -1;
        StringBuilder segment = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '/' || c == '%' || dots || i == seatDigit || Character.isISOControl(c)) {
                segment.append("%%%02X".formatted((int) c));
            } else if (c == '\u2028' || c == '\u2029' || isUnpaired(text, i)) {
                segment.append("%%u%04X".formatted((int) c));
            } else {
                segment.append(c);
            }
        }
        return segment.length() <= MAX_LENGTH ? segment.toString() : cut(segment);
    }

    private static boolean isUnpaired(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return Character.isLowSurrogate(c) && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
    }

    private static String cut(StringBuilder segment) {
        int end = Character.isHighSurrogate(segment.charAt(KEPT - 1)) ? KEPT - 1 : KEPT;
        return segment.substring(0, end) + "%#" + digest(segment);
    }

    private static String digest(CharSequence whole) {
        try {
            byte[] bytes = whole.toString().getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }
}
