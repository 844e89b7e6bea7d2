package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of seats with the smallest and the largest numbers. */
class SeatNameBoundsTest {

    private static final String ID = new UUID(0x4000L, 7).toString();

    @ParameterizedTest
    @CsvSource({"1, 9", "9, 10", "10, 99", "99, 100", "12345, 99999"})
    void lengthOfAStemWithPermitsIsTheLengthOfItsText(int permits, int of) {
        Demand demand = Demand.permits(permits, of);

        assertThat(SeatName.stemLength(demand))
                .isEqualTo(SeatName.stem(ID, demand).length());
    }

    @Test
    void lengthOfAStemWithoutPermitsIsTheLengthOfItsText() {
        for (Demand demand : new Demand[] {Demand.EXCLUSIVE, Demand.READ, Demand.WRITE}) {
            assertThat(SeatName.stemLength(demand))
                    .isEqualTo(SeatName.stem(ID, demand).length());
        }
    }

    @Test
    void firstSeatOfAFolderHasTheNumberZeroWhichIsReliable() {
        SeatName first = seat(Demand.EXCLUSIVE, "0000000000");

        assertThat(first.sequence()).isZero();
        assertThat(first.isPastTheLast()).isFalse();
    }

    @Test
    void numberIsReliableUntilTwoBillion() {
        assertThat(seat(Demand.EXCLUSIVE, "1999999999").isPastTheLast()).isFalse();
        assertThat(seat(Demand.EXCLUSIVE, "2000000000").isPastTheLast()).isTrue();
    }

    @Test
    void negativeNumberIsReadWithItsSign() {
        assertThat(seat(Demand.WRITE, "-2147483648").sequence()).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void permitsMayHaveFiveDigits() {
        Demand most = Demand.permits(99_999, 99_999);

        assertThat(seat(most, "0000000001").demand()).isEqualTo(most);
    }

    @ParameterizedTest
    @ValueSource(strings = {"permits-100000-of-100000-", "permits-0-of-3-", "permits-1-of-03-", "permits-1-of--"})
    void otherNumbersOfPermitsAreNoSeat(String kind) {
        assertThat(SeatName.parse("_c_" + ID + "-" + kind + "0000000001")).isEmpty();
    }

    @Test
    void pathOfASeatEndsWithItsName() {
        SeatName seat = seat(Demand.READ, "0000000001");

        assertThat(SeatName.ofPath("/locks/stats/" + seat.node())).isEqualTo(seat);
    }

    @Test
    void pathOfAnotherNodeIsRejectedByName() {
        assertThatThrownBy(() -> SeatName.ofPath("/locks/stats/other"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("/locks/stats/other");
    }

    private static SeatName seat(Demand demand, String sequence) {
        return SeatName.parse(SeatName.stem(ID, demand) + sequence).orElseThrow();
    }
}
