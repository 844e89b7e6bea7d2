package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StintTest {

    private final LoneSeats seats = new LoneSeats();

    /** C1, found by the simulation. */
    @Test
    void watchOfALingeringSeatIsNotSetAgainAfterTheSeatHasGoneToSomebodyElse() {
        seats.leaveListingsUnanswered();
        Stint lingering = seats.used(Demand.EXCLUSIVE, LoneSeats.BOUNDED.lingering(Duration.ofHours(1)));
        lingering.linger();
        assertThat(seats.folderWatches()).isEqualTo(1);

        seats.node(Demand.EXCLUSIVE);
        lingering.end();
        seats.advance(Duration.ofMinutes(1));

        assertThat(seats.folderWatches()).isZero();
    }
}
