package io.github.zklock.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameSegmentTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report",
                "orders 42",
                "Größe",
                "a.b",
                "2026-11-01T00:00:00Z",
                "order:42",
                "1700000000",
                "ORD-0000000042",
                "order_1700000000",
                "😀"
            })
    void ordinaryTextStandsAsItIs(String text) {
        assertThat(NameSegment.of(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "orders/42, orders%2F42",
        "100%, 100%25",
        "., %2E",
        ".., %2E%2E",
        "'', %",
        "lock-0000000001, lock-000000000%31",
        "x-permits-1-of-3-0000000001, x-permits-1-of-3-000000000%31",
        "_c_x-lock-0000000001, _c_x-lock-000000000%31"
    })
    void whatNoSegmentCanHaveBecomesACode(String text, String segment) {
        assertThat(NameSegment.of(text)).isEqualTo(segment);
    }

    @Test
    void everySegmentIsValidInALockName() {
        for (String text : trickyTexts()) {
            assertThat(LockName.of("/tasks/" + NameSegment.of(text)).segments()).hasSize(2);
        }
    }

    @Test
    void differentTextsHaveDifferentSegments() {
        Map<String, String> textOfSegment = new HashMap<>();

        for (String text : trickyTexts()) {
            String other = textOfSegment.put(NameSegment.of(text), text);
            assertThat(other).isIn(null, text);
        }
    }

    @Test
    void longTextIsCutAndStillDiffersAtItsEnd() {
        String base = "/%".repeat(1000);

        String one = NameSegment.of(base + "1");
        String two = NameSegment.of(base + "2");

        assertThat(List.of(one, two))
                .doesNotHaveDuplicates()
                .allSatisfy(segment -> assertThat(segment)
                        .hasSizeLessThanOrEqualTo(NameSegment.MAX_LENGTH)
                        .satisfies(LockName::of));
    }

    /** Returns short texts of special characters, so that many of them are similar. */
    private static List<String> trickyTexts() {
        String alphabet = "/%.-_0123456789ABCDEFuU#lock \u0001\u007f\u0085\ud83d\ude00é";
        Random random = new Random(4711);
        return random.ints(20_000, 0, 14)
                .mapToObj(length -> {
                    StringBuilder text = new StringBuilder();
                    random.ints(length, 0, alphabet.length()).forEach(i -> text.append(alphabet.charAt(i)));
                    return random.nextInt(10) == 0 ? text + "-lock-0000000001" : text.toString();
                })
                .toList();
    }
}
