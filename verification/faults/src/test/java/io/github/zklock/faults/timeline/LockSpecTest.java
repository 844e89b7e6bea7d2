package io.github.zklock.faults.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockSpecTest {

    @ParameterizedTest
    @ValueSource(strings = {"exclusive", "read", "write", "permits-2-of-3"})
    void whatIsWrittenIsReadAgain(String word) {
        assertThat(LockSpec.parse(word)).hasToString(word);
    }

    @Test
    void anythingElseIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> LockSpec.parse("permits-of-3"));
    }
}
