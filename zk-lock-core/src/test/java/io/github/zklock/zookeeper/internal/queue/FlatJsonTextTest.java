package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Texts of JSON at their bounds. */
class FlatJsonTextTest {

    @Test
    void onlyQuotesBackslashesAndControlCharactersAreEscaped() {
        StringBuilder json = new StringBuilder();

        FlatJson.quote(json, "a b~\u001f\"\\ü");

        assertThat(json).hasToString("\"a b~\\u001f\\\"\\\\ü\"");
    }

    @Test
    void longestTextIsRead() {
        String longest = "{\"a\":\"" + "x".repeat(FlatJson.LONGEST - 8) + "\"}";

        assertThat(longest).hasSize(FlatJson.LONGEST);
        assertThat(FlatJson.read(longest)).isPresent();
        assertThat(FlatJson.read(longest + " ")).isEmpty();
    }
}
