package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of a seat in the transaction that closes its session, and the room for them. (L24) */
class SeatBytesTest {

    private final SeatBudget budget = new SeatBudget();

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
}
