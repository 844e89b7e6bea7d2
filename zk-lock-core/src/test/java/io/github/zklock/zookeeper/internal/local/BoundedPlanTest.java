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
    private final BoundedPlan plan = new BoundedPlan(queue.waiting, queue.heads, queue.seats);

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
    void unusedSeatForPermitsServesALaterRequestThatItFits() {
        Claim first = queue.claim(Demand.permits(2, 3));
        Claim second = queue.claim(Demand.permits(1, 3));
        queue.seat(first);
        SeatUse seat = queue.head(second);

        assertThat(plan.next()).isEqualTo(new Service(second, seat));
    }

    @Test
    void usedSeatForPermitsServesTheFirstRequestAlone() {
        queue.used(Demand.permits(1, 3));
        queue.claim(Demand.permits(2, 3));
        queue.claim(Demand.permits(1, 3));

        assertThat(plan.next()).isNull();
    }

    @Test
    void seatThatDoesNotFitServesNobodyOutOfOrderUnlessItIsForPermits() {
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

        assertThat(plan.unneeded()).isEmpty();
        assertThat(plan.missing()).containsExactly(first);
    }

    @Test
    void requestWithASeatIsMissingNone() {
        queue.seat(queue.claim(Demand.EXCLUSIVE));

        assertThat(plan.unneeded()).isEmpty();
        assertThat(plan.missing()).isEmpty();
    }

    @Test
    void withoutARequestNoSeatIsNeededButThatInUse() {
        SeatUse seat = queue.used(Demand.EXCLUSIVE);
        queue.inUse(Demand.EXCLUSIVE);

        assertThat(plan.unneeded()).containsExactly(seat);
        assertThat(plan.missing()).isEmpty();
    }

    @Test
    void lastUnneededSeatLeavesFirst() {
        SeatUse first = queue.used(Demand.EXCLUSIVE);
        SeatUse second = queue.used(Demand.EXCLUSIVE);

        assertThat(plan.unneeded()).containsExactly(second, first);
    }

    @Test
    void requestWaitsForTheSeatInUse() {
        queue.inUse(Demand.EXCLUSIVE);
        queue.claim(Demand.EXCLUSIVE);

        assertThat(plan.unneeded()).isEmpty();
        assertThat(plan.missing()).isEmpty();
    }

    @Test
    void writerIsMissingASeatWhileReadersUseTheirs() {
        queue.inUse(Demand.READ);
        Claim writer = queue.claim(Demand.WRITE);

        assertThat(plan.unneeded()).isEmpty();
        assertThat(plan.missing()).containsExactly(writer);
    }

    @Test
    void readerWaitsForTheSeatOfReadersAndForThatOfAWriter() {
        queue.inUse(Demand.READ);
        queue.claim(Demand.READ);
        plan.unneeded();
        assertThat(plan.missing()).isEmpty();

        PlannedSeats written = new PlannedSeats(HandOff.bounded(1, Duration.ofSeconds(1)));
        written.inUse(Demand.WRITE);
        written.claim(Demand.READ);
        BoundedPlan other = new BoundedPlan(written.waiting, written.heads, written.seats);
        other.unneeded();
        assertThat(other.missing()).isEmpty();
    }

    @Test
    void seatThatGaveWayIsReplacedAfterItsTurnOnly() {
        SeatUse seat = queue.inUse(Demand.EXCLUSIVE);
        seat.giveWay();
        Claim next = queue.claim(Demand.EXCLUSIVE);
        plan.unneeded();
        assertThat(plan.missing()).as("the holder may take long").isEmpty();

        seat.end(seat.turns().iterator().next());

        assertThat(plan.unneeded()).containsExactly(seat);
        assertThat(plan.missing()).containsExactly(next);
    }

    @Test
    void usedSeatIsKeptForTheFirstRequest() {
        queue.used(Demand.EXCLUSIVE);
        queue.claim(Demand.EXCLUSIVE);

        assertThat(plan.unneeded()).isEmpty();
        assertThat(plan.missing()).isEmpty();
    }

    @Test
    void usedSeatThatDoesNotFitTheFirstRequestIsNotNeeded() {
        SeatUse reading = queue.used(Demand.READ);
        Claim writer = queue.claim(Demand.WRITE);

        assertThat(plan.unneeded()).containsExactly(reading);
        assertThat(plan.missing()).containsExactly(writer);
    }

    @Test
    void unusedSeatThatDoesNotFitTheFirstRequestIsNotNeeded() {
        Claim reader = queue.claim(Demand.READ);
        SeatUse seat = queue.seat(reader);
        queue.waiting.remove(reader);
        Claim writer = queue.claim(Demand.WRITE);

        assertThat(plan.unneeded()).containsExactly(seat);
        assertThat(plan.missing()).containsExactly(writer);
    }

    @Test
    void secondUsedSeatIsNotKeptForALaterRequest() {
        queue.used(Demand.permits(1, 3));
        SeatUse second = queue.used(Demand.permits(1, 3));
        queue.claim(Demand.permits(1, 3));
        Claim later = queue.claim(Demand.permits(1, 3));

        assertThat(plan.unneeded()).containsExactly(second);
        assertThat(plan.missing()).containsExactly(later);
    }

    // permits

    @Test
    void asManyRequestsMissSeatsAsAllPermitsSufficeFor() {
        Claim first = queue.claim(Demand.permits(1, 3));
        Claim second = queue.claim(Demand.permits(2, 3));
        queue.claim(Demand.permits(1, 3));

        assertThat(plan.unneeded()).isEmpty();
        assertThat(plan.missing()).containsExactly(first, second);
    }

    @Test
    void smallestNumberOfPermitsLimitsTheSeats() {
        Claim first = queue.claim(Demand.permits(1, 3));
        Claim second = queue.claim(Demand.permits(1, 2));
        queue.claim(Demand.permits(1, 3));

        plan.unneeded();

        assertThat(plan.missing()).containsExactly(first, second);
    }

    @Test
    void requestIsMissingASeatWhilePermitsMayBeFree() {
        queue.inUse(Demand.permits(1, 3));
        Claim first = queue.claim(Demand.permits(1, 3));
        Claim second = queue.claim(Demand.permits(1, 3));
        queue.claim(Demand.permits(1, 3));

        assertThat(plan.unneeded()).isEmpty();
        assertThat(plan.missing()).containsExactly(first, second);
    }

    @Test
    void requestIsMissingASeatIfNoSeatInUseWillServeIt() {
        queue.inUse(Demand.permits(3, 3));
        Claim smaller = queue.claim(Demand.permits(1, 3));

        plan.unneeded();

        assertThat(plan.missing()).containsExactly(smaller);
    }

    @Test
    void requestWaitsForASeatInUseThatWillServeItWhenNoPermitIsFree() {
        queue.inUse(Demand.permits(2, 2));
        queue.claim(Demand.permits(2, 2));

        plan.unneeded();

        assertThat(plan.missing()).isEmpty();
    }

    // which requests a seat may serve

    @Test
    void seatServesTheRequestsBehindThoseOfTheFreeSeatsInFront() {
        queue.inUse(Demand.permits(1, 4));
        Claim first = queue.claim(Demand.permits(1, 4));
        Claim second = queue.claim(Demand.permits(1, 4));
        Claim third = queue.claim(Demand.permits(1, 4));
        SeatUse front = queue.seat(first);
        SeatUse back = queue.seat(second);

        assertThat(plan.servedBy(front)).containsExactly(first, second, third);
        assertThat(plan.servedBy(back)).containsExactly(second, third);
    }
}
