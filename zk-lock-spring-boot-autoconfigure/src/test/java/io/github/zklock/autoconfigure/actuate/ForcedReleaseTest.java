package io.github.zklock.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForcedReleaseTest {

    @ParameterizedTest
    @ValueSource(strings = {"a\nWARN forged", "a\r\nb", "a\u0085b", "a\u2028b", "a\u2029b", "a\u001B[31m", "a\uD800"})
    void theNameOfTheCallerIsOneLine(String name) {
        assertThat(ForcedRelease.asker(() -> name))
                .startsWith("'a")
                .endsWith("'")
                .doesNotContainPattern("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]");
    }
}
