package io.github.zklock.faults.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WishTest {

    @ParameterizedTest
    @ValueSource(strings = {"exclusive", "read", "write", "permits-2-of-3"})
    void whatIsWrittenIsReadAgain(String word) {
        assertThat(Wish.parse(word)).hasToString(word);
    }

    @Test
    void anythingElseIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Wish.parse("permits-of-3"));
    }
}
