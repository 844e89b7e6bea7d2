package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlatJsonTest {

    @Test
    void readsWhatItWrites() {
        String text = "a \"quoted\" \\ line\nand \u0001 ü";
        StringBuilder json = new StringBuilder("{\"number\":-42,\"empty\":");
        FlatJson.quote(json, "");
        FlatJson.quote(json.append(",\"text\":"), text);

        assertThat(FlatJson.read(json.append('}').toString()))
                .contains(Map.of("text", text, "number", -42L, "empty", ""));
    }

    @Test
    void readsWhatOthersWrite() {
        assertThat(FlatJson.read(" { \"a\" : \"\\u00fc\\t\" , \"b\" : 7 } ")).contains(Map.of("a", "ü\t", "b", 7L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "2026-11-20T03:00:00.125Z",
                "2026-02-28T23:59:59.000001Z",
                "2026-12-31T09:08:07.123456Z",
                "9999-12-31T23:59:59.999999999Z",
                "2026-01-02T03:04:05.000000001Z",
                "2026-01-02T03:04:05.120Z",
                "+12026-01-02T03:04:05Z",
                "-0005-01-02T03:04:05.500Z"
            })
    void instantIsWrittenAsItsText(String text) {
        byte[] data = new OwnerDescription("instance", "host", 1).write("main", Instant.parse(text), Demand.EXCLUSIVE);

        assertThat(new String(data, StandardCharsets.UTF_8)).contains("\"since\":\"" + text + "\",");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "}",
                "null",
                "10.0.0.1",
                "{\"a\":{}}",
                "{\"a\":[1]}",
                "{\"a\":}",
                "{\"a\":1.5}",
                "{\"a\":99999999999999999999}",
                "{\"a\":\"\\uZZZZ\"}",
                "{\"a\":\"\\u12",
                "{\"a\":\"open",
                "{\"a\" 1}",
                "{\"a\":1,}"
            })
    void takesNothingElseForAnObject(String json) {
        assertThat(FlatJson.read(json)).isEmpty();
    }

    @Test
    void refusesWhatIsLong() {
        assertThat(FlatJson.read("{\"a\":\"" + "x".repeat(10_000) + "\"}")).isEmpty();
    }

    @Test
    void noBytesOfStrangersBreakTheReader() {
        Random random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            byte[] data = new byte[random.nextInt(60)];
            random.nextBytes(data);

            assertThat(OwnerDescription.read(data)).isEqualTo(Optional.empty());
        }
    }
}
