package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of a seat in the transaction that closes its session, and the room for them. (L24) */
class SeatBytesTest {

    private final SeatBudget budget = new SeatBudget(new AtomicLong());

    @ParameterizedTest
    @ValueSource(
            strings = {"", "plain~", "\u007f\u0080", "\u07ff\u0800", "\ud7ff\ue000\uffff", "\ud83d\ude00 and more"})
    void lengthInUtf8IsThatOfTheBytes(String text) {
        assertThat(SeatBudget.utf8Length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }

    @Test
    void seatTakesItsPathAndTheLengthOfThePath() {
        Demand demand = Demand.permits(2, 10);
        String path = "/r\u00e4/locks/a/" + SeatName.stem(new UUID(0, 1).toString(), demand) + "0000000001";

        assertThat(SeatBudget.bytesOf("/r\u00e4".getBytes(StandardCharsets.UTF_8).length, "/locks/a", demand))
                .isEqualTo(path.getBytes(StandardCharsets.UTF_8).length + Integer.BYTES);
    }

    @Test
    void seatIsAdmittedUpToTheLimit() {
        budget.take(600);
        budget.take(300);

        assertThat(budget.admits(100, 1000)).isTrue();
        assertThat(budget.admits(101, 1000)).isFalse();
        budget.giveBack(300);
        assertThat(budget.admits(400, 1000)).isTrue();
        assertThat(budget.seats()).isEqualTo(1);
        assertThat(budget.bytes()).isEqualTo(600);
    }

    @Test
    void registriesOnOneSessionShareItsBytes() {
        AtomicLong all = new AtomicLong();
        SeatBudget one = new SeatBudget(all);
        SeatBudget two = new SeatBudget(all);
        one.take(60);

        assertThat(two.admits(40, 100)).isTrue();
        assertThat(two.admits(41, 100)).isFalse();
        assertThat(two.use()).isEqualTo("0 seats take 0 bytes, and those of other registries on the same client 60,");
        assertThat(one.use()).isEqualTo("1 seat takes 60");

        one.giveBack(60);
        assertThat(two.admits(100, 100)).isTrue();
    }

    @Test
    void registryThatLeavesTheSessionTakesNothingOfIt() {
        AtomicLong all = new AtomicLong();
        SeatBudget one = new SeatBudget(all);
        SeatBudget two = new SeatBudget(all);
        one.take(60);

        one.leave();
        one.leave();
        one.giveBack(60);

        assertThat(two.admits(100, 100)).isTrue();
        assertThat(two.admits(101, 100)).isFalse();
        assertThat(one.seats()).isZero();
    }
}
