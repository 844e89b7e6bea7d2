package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextFieldsTest {

    @Test
    void readsAnObjectOfTexts() {
        assertThat(TextFields.read(" {\"a\" : \"1\" ,\n\"b\":\"\"} ")).isEqualTo(Map.of("a", "1", "b", ""));
        assertThat(TextFields.read("{}")).isEmpty();
    }

    @Test
    void readsEscapes() {
        assertThat(TextFields.read("{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\uD83D\\uDD12Ö\"}"))
                .containsEntry("a", "\"\\/\b\f\n\r\tä\uD83D\uDD12Ö");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1}",
                "{\"a\":null}",
                "{\"a\":{}}",
                "{\"a\":\"b\",}",
                "{\"a\":\"b\"}}",
                "{\"a\":\"b",
                "{\"a\":\"\\",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"\\u12x4\"}",
                "{\"a\":\"\n\"}",
                "{'a':'b'}",
                "{\"a\":\"b\",\"a\":\"c\"}"
            })
    void refusesEverythingElse(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TextFields.read(text))
                .withMessageStartingWith("The body is not a JSON object of texts: it ");
    }
}
