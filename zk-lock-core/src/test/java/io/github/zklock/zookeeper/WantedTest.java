package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.HandOff.Policy;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which seats are kept, and for whom others are asked. */
class WantedTest {

    private static final HandOff BOUNDED = LoneSeats.BOUNDED;
    private static final Demand ONE = Demand.permits(1, 3);
    private static final Demand TWO = Demand.permits(2, 3);

    private final LoneSeats seats = new LoneSeats();

    @Test
    void usedFreeSeatIsKeptForTheFirst() {
        Wanted wanted = Wanted.of(Policy.BOUNDED, List.of(seats.claim(ONE)), List.of());

        assertThat(wanted.keeps(seats.used(ONE, BOUNDED))).isTrue();
        assertThat(wanted.missing()).isEmpty();
    }

    @Test
    void usedFreeSeatIsNotKeptForTheSecondWhenTheFirstHasASeatOfHisOwn() {
        // the used seat would stand at the head unused, with the permits that the first one waits for
        Claim first = seats.claim(ONE);
        Claim second = seats.claim(ONE);
        Wanted wanted = Wanted.of(Policy.BOUNDED, List.of(first, second), List.of());
        assertThat(wanted.keeps(seats.seat(ONE), first)).isTrue();

        assertThat(wanted.keeps(seats.used(ONE, BOUNDED))).isFalse();

        assertThat(wanted.missing()).containsExactly(second);
    }

    @Test
    void usedFreeSeatIsNotKeptForTheSecondWhenItDoesNotFitTheFirst() {
        Claim first = seats.claim(TWO);
        Claim second = seats.claim(ONE);
        Wanted wanted = Wanted.of(Policy.BOUNDED, List.of(first, second), List.of());

        assertThat(wanted.keeps(seats.used(ONE, BOUNDED))).isFalse();

        assertThat(wanted.missing()).containsExactly(first, second);
    }

    @Test
    void onlyOneUsedFreeSeatIsKept() {
        Wanted wanted = Wanted.of(Policy.BOUNDED, List.of(seats.claim(ONE), seats.claim(ONE)), List.of());

        assertThat(wanted.keeps(seats.used(ONE, BOUNDED))).isTrue();
        assertThat(wanted.keeps(seats.used(ONE, BOUNDED))).isFalse();
    }

    @Test
    void freshSeatsAreKeptInTheOrderOfTheClaims() {
        Claim first = seats.claim(TWO);
        Claim second = seats.claim(ONE);
        Wanted wanted = Wanted.of(Policy.BOUNDED, List.of(first, second), List.of());

        // asked for somebody who has gone
        assertThat(wanted.keeps(seats.seat(ONE), null)).isFalse();
        assertThat(wanted.keeps(seats.seat(TWO), first)).isTrue();
        assertThat(wanted.keeps(seats.seat(ONE), second)).isTrue();

        assertThat(wanted.missing()).isEmpty();
    }

    @Test
    void noMoreSeatsAreAskedForThanAllPermitsSufficeFor() {
        Claim first = seats.claim(TWO);
        Claim second = seats.claim(ONE);
        Claim third = seats.claim(ONE);

        Wanted wanted = Wanted.of(Policy.BOUNDED, List.of(first, second, third), List.of());

        assertThat(wanted.missing()).containsExactly(first, second);
    }

    @Test
    void strictSeatIsKeptForTheOneForWhomItWasAskedAndNobodyElse() {
        Claim first = seats.claim(ONE);
        Claim second = seats.claim(ONE);
        Wanted wanted = Wanted.of(Policy.STRICT, List.of(first, second), List.of());

        assertThat(wanted.keeps(seats.seat(ONE), second)).isTrue();
        assertThat(wanted.keeps(seats.seat(ONE), second)).isFalse();
        assertThat(wanted.keeps(seats.seat(ONE), null)).isFalse();

        assertThat(wanted.missing()).containsExactly(first);
    }
}
