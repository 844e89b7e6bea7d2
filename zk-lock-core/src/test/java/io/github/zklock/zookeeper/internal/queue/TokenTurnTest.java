package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTurnTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, Tokens.MAX_TURNS - 1})
    void turnIsReadFromTheToken(int turn) {
        assertThat(Tokens.turn(Tokens.of(0x5_0000_0007L, turn))).isEqualTo(turn);
    }
}
