package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockName;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The encoding of each single character of a lock's folder. */
class LockFolderCharactersTest {

    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    @Test
    void segmentMayBeginWithALetterOrADigitFromOne() {
        for (char c = ' '; c <= 'ÿ'; c++) {
            String expected = (LETTERS + "123456789").indexOf(c) >= 0 ? c + "x" : encoded(c) + "x";

            assertThat(LockFolder.encode(c + "x")).isEqualTo(expected);
            // the last character has to be encoded, so this segment takes the longer way
            assertThat(LockFolder.encode(c + "x_")).isEqualTo(expected + "_5F");
        }
    }

    @Test
    void segmentMayContinueWithALetterADigitADashOrADot() {
        for (char c = ' '; c <= 'ÿ'; c++) {
            String expected = (LETTERS + "0123456789-.").indexOf(c) >= 0 ? "x" + c : "x" + encoded(c);

            assertThat(LockFolder.encode("x" + c)).isEqualTo(expected);
            // the last character has to be encoded, so this segment takes the longer way
            assertThat(LockFolder.encode("x" + c + "_")).isEqualTo(expected + "_5F");
        }
    }

    @ParameterizedTest
    @CsvSource({"locks, _6Cocks", "leases, _6Ceases", "lock-1, lock_2D1", "lockss, lockss", "lock1-, lock1-"})
    void segmentIsNoFolderAndNoMarkerOfCurator(String segment, String encoded) {
        assertThat(LockFolder.encode(segment)).isEqualTo(encoded);
        assertThat(LockFolder.nameOf(encoded)).isEqualTo(LockName.of(segment));
    }

    private static String encoded(char c) {
        StringBuilder hex = new StringBuilder();
        for (byte each : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
            hex.append('_').append(HexFormat.of().withUpperCase().toHexDigits(each));
        }
        return hex.toString();
    }
}
