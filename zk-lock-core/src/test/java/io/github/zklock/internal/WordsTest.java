package io.github.zklock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 s",
        "PT0.000000001S, 0.000001 ms",
        "PT0.00025S, 0.25 ms",
        "PT0.001S, 1 ms",
        "PT0.6S, 600 ms",
        "PT0.6009S, 600 ms",
        "PT0.999999999S, 999 ms",
        "PT1S, 1 s",
        "PT1.5S, 1.5 s",
        "PT10S, 10 s",
        "PT59.9995S, 59.999 s",
        "PT1M, 1 min",
        "PT4M27.52842879S, 4 min 27 s",
        "PT59M59.9S, 59 min 59 s",
        "PT1H, 1 h",
        "PT1H0M30S, 1 h",
        "PT2H5M, 2 h 5 min",
        "PT24H, 24 h",
        "PT47H59M, 47 h 59 min",
        "PT48H, 2 d",
        "PT74H, 3 d 2 h",
        "PT-1.5S, -1.5 s",
        "PT-5M, -5 min"
    })
    void durationIsWrittenAsPeopleWriteIt(Duration duration, String words) {
        assertThat(Words.of(duration)).isEqualTo(words);
    }

    @Test
    void extremeDurationsHaveWords() {
        assertThat(Words.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo("106751991167300 d 15 h");
        assertThat(Words.of(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo("-106751991167300 d 15 h");
    }

    @Test
    void nounFollowsItsNumber() {
        assertThat(Words.count(0, "lock")).isEqualTo("0 locks");
        assertThat(Words.count(1, "lock")).isEqualTo("1 lock");
        assertThat(Words.count(12, "contender")).isEqualTo("12 contenders");
    }
}
