package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokensTest {

    @Test
    void aLaterTurnOfASeatHasTheHigherToken() {
        assertThat(Tokens.of(0x5_0000_0007L, 1)).isGreaterThan(Tokens.of(0x5_0000_0007L, 0));
    }

    @Test
    void theFirstTurnOfALaterSeatIsHigherThanTheLastOfAnEarlierOne() {
        assertThat(Tokens.of(0x5_0000_0008L, 0)).isGreaterThan(Tokens.of(0x5_0000_0007L, Tokens.MAX_TURNS - 1));
    }

    @Test
    void aNewLeadersFirstTokenIsHigherThanAnyOfTheOneBefore() {
        assertThat(Tokens.of(0x6_0000_0001L, 0)).isGreaterThan(Tokens.of(0x5_FFFF_FFFFL, Tokens.MAX_TURNS - 1));
    }

    @Test
    void theHighestIsStillPositive() {
        assertThat(Tokens.of(Tokens.MAX_EPOCH << 32 | 0xFFFF_FFFFL, Tokens.MAX_TURNS - 1)
                        .value())
                .isEqualTo(Long.MAX_VALUE);
    }
}
