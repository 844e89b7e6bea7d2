package io.github.zklock.zookeeper.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockKind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeatNameTest {

    private static final String ID = "0243a9be-7b6f-4c5d-8aae-d7529e287b1f";

    @Test
    void readsWhatItWrites() {
        SeatName seat = SeatName.parse(SeatName.stem(ID, Demand.EXCLUSIVE) + "0000000042")
                .orElseThrow();

        assertThat(seat.id()).isEqualTo(ID);
        assertThat(seat.demand().kind()).isEqualTo(LockKind.EXCLUSIVE);
        assertThat(seat.sequence()).isEqualTo(42);
    }

    @Test
    void aDowngradedSeatHasZooKeepersDigitsInEveryLanguage() {
        SeatName writer =
                SeatName.parse(SeatName.stem(ID, Demand.WRITE) + "0000000042").orElseThrow();
        Locale usual = Locale.getDefault();
        try {
            // Persian has digits of its own
            Locale.setDefault(Locale.forLanguageTag("fa-IR"));

            assertThat(writer.asReader().node()).isEqualTo("_c_" + ID + "-__READ__0000000042");
        } finally {
            Locale.setDefault(usual);
        }
    }

    @Test
    void readsTheSeatsOfCuratorsReadWriteLock() {
        assertThat(SeatName.parse("_c_" + ID + "-__READ__0000000001")
                        .orElseThrow()
                        .demand()
                        .kind())
                .isEqualTo(LockKind.READ);
        assertThat(SeatName.parse("_c_" + ID + "-__WRIT__0000000002")
                        .orElseThrow()
                        .demand()
                        .kind())
                .isEqualTo(LockKind.WRITE);
    }

    @Test
    void idTellsASeatThatMayLinger() {
        String lingering = SeatName.lingering(ID);

        assertThat(UUID.fromString(ID).version()).isEqualTo(4);
        assertThat(UUID.fromString(lingering).version()).isEqualTo(8);
        assertThat(seatOf(lingering).mayLinger()).isTrue();
        assertThat(seatOf(ID).mayLinger()).isFalse();
        assertThat(SeatName.parse("lock-0000000008").orElseThrow().mayLinger()).isFalse();
    }

    @Test
    void dataTellsAnIdleSeat() {
        OwnerDescription owner = new OwnerDescription("shop-1", "host", 1);
        byte[] idle = owner.writeIdle("thread", Instant.EPOCH, Demand.EXCLUSIVE);

        assertThat(OwnerDescription.isIdle(idle)).isTrue();
        assertThat(OwnerDescription.read(idle))
                .hasValueSatisfying(read -> assertThat(read.instance()).isEqualTo("shop-1"));
        assertThat(OwnerDescription.isIdle(owner.write("thread", Instant.EPOCH, Demand.EXCLUSIVE)))
                .isFalse();
        assertThat(OwnerDescription.isIdle("idle".getBytes(StandardCharsets.UTF_8)))
                .isFalse();
    }

    private static SeatName seatOf(String id) {
        return SeatName.parse(SeatName.stem(id, Demand.EXCLUSIVE) + "0000000001")
                .orElseThrow();
    }

    @Test
    void readsASeatWithoutAnOwnersId() {
        assertThat(SeatName.parse("lock-0000000007").orElseThrow().id()).isEqualTo("lock-0000000007");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2000000000", "2147483647", "-2147483648"})
    void knowsASeatWhoseNumberIsPastTheLast(String sequence) {
        SeatName seat = SeatName.parse(SeatName.stem(ID, Demand.permits(2, 3)) + sequence)
                .orElseThrow();

        assertThat(seat.id()).isEqualTo(ID);
        assertThat(seat.isPastTheLast()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "orders",
                "0000000001",
                "lock-",
                "lock-000000001",
                "my-lock-0000000001",
                "_c_short-lock-0000000001",
                "_c_0243a9be-7b6f-4c5d-8aae-d7529e287b1f-lock-00000000x1",
                "_c_0243a9be-7b6f-4c5d-8aae-d7529e287b1f-lease-0000000001",
                "leases",
                "lock--000000001"
            })
    void takesNothingElseForASeat(String node) {
        assertThat(SeatName.parse(node)).isEmpty();
    }

    @Test
    void aQueueIsOrderedByNumberWhateverTheOwnersAreCalled() {
        String first = "_c_ffffffff-7b6f-4c5d-8aae-d7529e287b1f-lock-0000000009";
        String second = "_c_00000000-7b6f-4c5d-8aae-d7529e287b1f-lock-0000000010";
        String third = "lock-1000000000";

        QueueView view = QueueView.of(List.of(third, "nested", second, first));

        assertThat(view.seats()).extracting(SeatName::node).containsExactly(first, second, third);
    }
}
