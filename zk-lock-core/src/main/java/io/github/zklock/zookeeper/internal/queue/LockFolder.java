package io.github.zklock.zookeeper.internal.queue;

import io.github.zklock.LockName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The folder of a lock below the base path. Segments of the name are encoded reversibly: each character other than a
 * letter, a digit, {@code -} or {@code .} becomes {@code _} and two hexadecimal digits for each byte of UTF-8.
 *
 * <p>Curator's clients regard every child of a lock's folder as a waiter and compare nested folders with sequences
 * as text. Therefore an encoded segment begins with 1 to 9 or a character above {@code 9}, contains none of Curator's
 * markers, and is never the name of a folder of Curator's semaphores.
 */
public final class LockFolder {

    private static final String HEX = "0123456789ABCDEF";

    private LockFolder() {}

    public static String of(String basePath, LockName name) {
        String path = name.value();
        StringBuilder folder = new StringBuilder(basePath.length() + path.length() + 8);
        folder.append(BasePath.prefix(basePath));
        for (int from = 1; from <= path.length(); ) {
            int slash = path.indexOf('/', from);
            int to = slash < 0 ? path.length() : slash;
            folder.append('/').append(encode(path.substring(from, to)));
            from = to + 1;
        }
        return folder.toString();
    }

    /** Returns the name of the lock whose folder has these encoded segments, such as {@code orders/42}. */
    public static LockName nameOf(String encoded) {
        return LockName.of(decode(encoded));
    }

    public static String encode(String segment) {
        return needsNoEncoding(segment) ? segment : encodeEach(segment);
    }

    /** Returns whether the encoded segment is the segment itself, which most are. */
    private static boolean needsNoEncoding(String segment) {
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (i == 0 ? !mayBegin(c) : !mayFollow(c)) {
                return false;
            }
        }
        return !segment.contains("lock-") && !QueueView.FOREIGN_SEMAPHORE.contains(segment);
    }

    private static String encodeEach(String segment) {
        byte[] bytes = segment.getBytes(StandardCharsets.UTF_8);
        StringBuilder encoded = new StringBuilder(bytes.length + 8);
        boolean foreign = QueueView.FOREIGN_SEMAPHORE.contains(segment);
        for (byte each : bytes) {
            char c = (char) (each & 0xFF);
            boolean plain = encoded.isEmpty() ? mayBegin(c) && !foreign : mayFollow(c) && !completesMarker(encoded, c);
            if (plain) {
                encoded.append(c);
            } else {
                encoded.append('_').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            }
        }
        return encoded.toString();
    }

    private static String decode(String path) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c != '_') {
                bytes.write(c);
            } else if (i + 2 < path.length()
                    && HEX.indexOf(path.charAt(i + 1)) >= 0
                    && HEX.indexOf(path.charAt(i + 2)) >= 0) {
                bytes.write(HEX.indexOf(path.charAt(i + 1)) << 4 | HEX.indexOf(path.charAt(i + 2)));
                i += 2;
            } else {
                throw new IllegalArgumentException("Folder '" + path + "' is not the folder of a lock");
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static boolean mayBegin(char c) {
        return isLetter(c) || (c >= '1' && c <= '9');
    }

    private static boolean mayFollow(char c) {
        return isLetter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    // '_' is always encoded, so of the three markers only "lock-" can occur
    private static boolean completesMarker(StringBuilder encoded, char c) {
        int length = encoded.length();
        return c == '-' && length >= 4 && encoded.substring(length - 4).equals("lock");
    }
}
