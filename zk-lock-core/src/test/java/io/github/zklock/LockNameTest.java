package io.github.zklock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockNameTest {

    @ParameterizedTest
    @CsvSource({
        "order-stats,/order-stats",
        "/order-stats,/order-stats",
        "/order-stats/,/order-stats",
        "orders/42,/orders/42",
        "with space,/with space",
        "block-list,/block-list"
    })
    void valueHasALeadingAndNoTrailingSlash(String spelling, String canonical) {
        LockName name = LockName.of(spelling);

        assertThat(name.value()).isEqualTo(canonical);
        assertThat(name).hasToString(canonical).isEqualTo(LockName.of(canonical));
    }

    @Test
    void segmentsAreThePartsBetweenTheSlashes() {
        assertThat(LockName.of("/orders/42/items").segments()).containsExactly("orders", "42", "items");
    }

    @Test
    void pairsOfSurrogatesAreText() {
        assertThat(LockName.of("/a😀b").value()).isEqualTo("/a😀b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "//", "a//b", "a///", ".", "..", "a/./b", "a/.."})
    void emptyAndRelativeSegmentsAreRefused(String refused) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> LockName.of(refused))
                .withMessageStartingWith("Lock name '");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lock-0000000001",
                "x-lock-2147483647",
                "x-lock--2147483648",
                "_c_x-lock-0000000001",
                "__READ__0000000001",
                "x-__WRIT__0000000001",
                "x-permits-1-of-2-0000000001",
                "a/lock-0000000001/b"
            })
    void segmentsThatLookLikeASeatAreRefused(String refused) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> LockName.of(refused))
                .withMessageContaining(refused)
                .withMessageContaining("queue");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock-", "lock-1", "my-lock", "lock-00000000012", "...", ".a", "0000000001"})
    void segmentsThatOnlyResembleOneAreNames(String name) {
        assertThat(LockName.of(name).value()).isEqualTo("/" + name);
    }

    @Test
    void controlCharactersAreRefusedWithoutBeingRepeated() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> LockName.of("a\u001B[31mb"))
                .withMessageContaining("U+001B")
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("\u001B"));
    }

    @Test
    void lengthIsBounded() {
        assertThat(LockName.of("/" + "x".repeat(LockName.MAX_LENGTH - 1)).value())
                .hasSize(LockName.MAX_LENGTH);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> LockName.of("/" + "x".repeat(LockName.MAX_LENGTH)))
                .withMessageContaining("513");
    }

    @Test
    void canonicalFormIsNeverLongerThanTheBound() {
        // the slash that is added counts as well
        String withoutSlash = "x".repeat(LockName.MAX_LENGTH);

        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> LockName.of(withoutSlash));
    }

    @Test
    void nullIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> LockName.of(null)).withMessageContaining("name");
    }
}
