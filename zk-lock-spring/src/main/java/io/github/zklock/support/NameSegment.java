package io.github.zklock.support;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Any text as one segment of a lock's name: two texts have the same segment only if they are equal. Ordinary text stands
 * as it is; {@code /}, {@code %} and what no lock name may contain become {@code %} and a code; text that is too long is
 * cut and ends with its SHA-256 digest instead.
 */
public final class NameSegment {

    /** Longer segments are cut, so that there is room in a lock's name for what stands before them. */
    static final int MAX_LENGTH = 320;

    private static final int KEPT = 240;

    private static final int SURELY_NO_SEAT = 14;

    /** What a lock name refuses because it looks like a node of a queue. */
    private static final Pattern LIKE_A_SEAT = Pattern.compile(
            "(lock-|__READ__|__WRIT__|.*(-lock-|-__READ__|-__WRIT__|-permits-\\d+-of-\\d+-))-?\\d{10}", Pattern.DOTALL);

    private NameSegment() {}

    /** The segment that stands for this text. */
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
        // shorter than whatever looks like a seat or has to be cut
        return !text.isEmpty() && text.length() <= SURELY_NO_SEAT;
    }

    private static String encoded(String text) {
        if (text.isEmpty()) {
            // a code without digits, which nothing else becomes
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
