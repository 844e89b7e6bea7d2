package io.github.zklock.zookeeper.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.local.SeatPlan.Service;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A seat is passed from request to request. */
class BoundedPlanTest {

    private final PlannedSeats queue = new PlannedSeats(HandOff.bounded(1_024, Duration.ofSeconds(1)));
    private final BoundedPlan plan =
            queue.tell(new BoundedPlan(queue.occupancy.waiting(), queue.seats.heads(), queue.seats.all()));

    // which request is granted next

    @Test
    void nothingIsGrantedWithoutARequestOrASeatAtTheHead() {
        assertThat(plan.next()).isNull();

        Claim claim = queue.claim(Demand.EXCLUSIVE);
        SeatUse seat = queue.seat(claim);
        assertThat(plan.next()).isNull();

        queue.becomeHead(seat);
        assertThat(plan.next()).isEqualTo(new Service(claim, seat));
    }

    @Test
    void firstRequestIsGrantedOnASeatThatServedAnotherOne() {
        SeatUse seat = queue.used(Demand.EXCLUSIVE);
        Claim first = queue.claim(Demand.EXCLUSIVE);
        queue.claim(Demand.EXCLUSIVE);

        assertThat(plan.next()).isEqualTo(new Service(first, seat));
    }

    @Test
    void seatInUseServesNobodyElse() {
        queue.inUse(Demand.EXCLUSIVE);
        queue.claim(Demand.EXCLUSIVE);

        assertThat(plan.next()).isNull();
    }

    @Test
    void seatThatDoesNotFitServesNobodyOutOfOrder() {
        queue.claim(Demand.WRITE);
        Claim reader = queue.claim(Demand.READ);
        queue.head(reader);

        assertThat(plan.next()).isNull();
    }

    // which seats are needed

    @Test
    void firstRequestAloneIsMissingASeat() {
        Claim first = queue.claim(Demand.EXCLUSIVE);
        queue.claim(Demand.EXCLUSIVE);

        assertThat(plan.decide(true, true).leave()).isEmpty();
        assertThat(plan.decide(true, true).create()).containsExactly(first);
    }

    @Test
    void requestWithASeatIsMissingNone() {
        queue.seat(queue.claim(Demand.EXCLUSIVE));

        assertThat(plan.decide(true, true).leave()).isEmpty();
        assertThat(plan.decide(true, true).create()).isEmpty();
    }

    @Test
    void withoutARequestNoSeatIsNeededButThatInUse() {
        SeatUse seat = queue.used(Demand.EXCLUSIVE);
        queue.inUse(Demand.EXCLUSIVE);

        assertThat(plan.decide(true, true).leave()).containsExactly(seat);
        assertThat(plan.decide(true, true).create()).isEmpty();
    }

    @Test
    void lastUnneededSeatLeavesFirst() {
        SeatUse first = queue.used(Demand.EXCLUSIVE);
        SeatUse second = queue.used(Demand.EXCLUSIVE);

        assertThat(plan.decide(true, true).leave()).containsExactly(second, first);
    }

    @Test
    void requestWaitsForTheSeatInUse() {
        queue.inUse(Demand.EXCLUSIVE);
        queue.claim(Demand.EXCLUSIVE);

        assertThat(plan.decide(true, true).leave()).isEmpty();
        assertThat(plan.decide(true, true).create()).isEmpty();
    }

    @Test
    void writerIsMissingASeatWhileReadersUseTheirs() {
        queue.inUse(Demand.READ);
        Claim writer = queue.claim(Demand.WRITE);

        assertThat(plan.decide(true, true).leave()).isEmpty();
        assertThat(plan.decide(true, true).create()).containsExactly(writer);
    }

    @Test
    void readerWaitsForTheSeatOfReadersAndForThatOfAWriter() {
        queue.inUse(Demand.READ);
        queue.claim(Demand.READ);
        assertThat(plan.decide(true, true).create()).isEmpty();

        PlannedSeats written = new PlannedSeats(HandOff.bounded(1, Duration.ofSeconds(1)));
        BoundedPlan other =
                written.tell(new BoundedPlan(written.occupancy.waiting(), written.seats.heads(), written.seats.all()));
        written.inUse(Demand.WRITE);
        written.claim(Demand.READ);
        assertThat(other.decide(true, true).create()).isEmpty();
    }

    @Test
    void seatThatGaveWayIsReplacedAfterItsTurnOnly() {
        SeatUse seat = queue.inUse(Demand.EXCLUSIVE);
        seat.giveWay();
        Claim next = queue.claim(Demand.EXCLUSIVE);
        assertThat(plan.decide(true, true).create())
                .as("the holder may take long")
                .isEmpty();

        queue.end(seat, seat.turns().iterator().next());

        assertThat(plan.decide(true, true).leave()).containsExactly(seat);
        assertThat(plan.decide(true, true).create()).containsExactly(next);
    }

    @Test
    void usedSeatIsKeptForTheFirstRequest() {
        queue.used(Demand.EXCLUSIVE);
        queue.claim(Demand.EXCLUSIVE);

        assertThat(plan.decide(true, true).leave()).isEmpty();
        assertThat(plan.decide(true, true).create()).isEmpty();
    }

    @Test
    void usedSeatThatDoesNotFitTheFirstRequestIsNotNeeded() {
        SeatUse reading = queue.used(Demand.READ);
        Claim writer = queue.claim(Demand.WRITE);

        assertThat(plan.decide(true, true).leave()).containsExactly(reading);
        assertThat(plan.decide(true, true).create()).containsExactly(writer);
    }

    @Test
    void unusedSeatThatDoesNotFitTheFirstRequestIsNotNeeded() {
        Claim reader = queue.claim(Demand.READ);
        SeatUse seat = queue.seat(reader);
        queue.leave(reader);
        Claim writer = queue.claim(Demand.WRITE);

        assertThat(plan.decide(true, true).leave()).containsExactly(seat);
        assertThat(plan.decide(true, true).create()).containsExactly(writer);
    }
}
