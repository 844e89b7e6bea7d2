package io.github.zklock.zookeeper.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.local.SeatPlan.Service;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Seats of a semaphore are passed from request to request. */
class PermitsPlanTest {

    private final PlannedSeats queue = new PlannedSeats(HandOff.bounded(1_024, Duration.ofSeconds(1)));
    private final PermitsPlan plan = queue.tell(new PermitsPlan(queue.rounds));

    // which request is granted next

    @Test
    void nothingIsGrantedWithoutARequestOrASeatAtTheHead() {
        assertThat(plan.next()).isNull();

        Claim claim = queue.claim(Demand.permits(1, 3));
        SeatUse seat = queue.seat(claim);
        assertThat(plan.next()).isNull();
        assertThat(plan.serves(Demand.permits(1, 3))).isFalse();

        queue.becomeHead(seat);
        assertThat(plan.next()).isEqualTo(new Service(claim, seat));
        assertThat(plan.serves(Demand.permits(1, 3))).isTrue();
        assertThat(plan.serves(Demand.permits(2, 3))).isFalse();
    }

    @Test
    void firstRequestIsGrantedOnASeatThatServedAnotherOne() {
        SeatUse seat = queue.used(Demand.permits(1, 3));
        Claim first = queue.claim(Demand.permits(1, 3));
        queue.claim(Demand.permits(1, 3));

        assertThat(plan.next()).isEqualTo(new Service(first, seat));
    }

    @Test
    void seatInUseServesNobodyElse() {
        queue.inUse(Demand.permits(1, 3));
        queue.claim(Demand.permits(1, 3));

        assertThat(plan.next()).isNull();
    }

    @Test
    void firstOfSeveralDemandsWithASeatAtTheHeadIsServedFirst() {
        queue.claim(Demand.permits(3, 6));
        Claim second = queue.claim(Demand.permits(2, 6));
        Claim third = queue.claim(Demand.permits(1, 6));
        SeatUse ofThird = queue.head(third);
        SeatUse ofSecond = queue.head(second);

        assertThat(plan.next()).isEqualTo(new Service(second, ofSecond));
        queue.grant(second, ofSecond);
        assertThat(plan.next()).isEqualTo(new Service(third, ofThird));
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
    void secondUsedSeatIsNotKeptForALaterRequest() {
        queue.used(Demand.permits(1, 3));
        SeatUse second = queue.used(Demand.permits(1, 3));
        queue.claim(Demand.permits(1, 3));
        Claim later = queue.claim(Demand.permits(1, 3));

        assertThat(plan.decide(true, true).leave()).containsExactly(second);
        assertThat(plan.decide(true, true).create()).containsExactly(later);
    }

    // which seats are needed

    @Test
    void requestBehindTheOthersGetsASeatWhenOneInFrontLeaves() {
        Claim first = queue.claim(Demand.permits(1, 2));
        Claim second = queue.claim(Demand.permits(1, 2));
        Claim third = queue.claim(Demand.permits(1, 2));
        plan.decide(true, true);
        assertThat(plan.decide(true, true).create()).containsExactly(first, second);
        queue.seat(first);
        queue.seat(second);

        queue.leave(first);

        assertThat(plan.decide(true, true).leave())
                .as("the seat is for the third now")
                .isEmpty();
        assertThat(plan.decide(true, true).create()).isEmpty();
        queue.leave(third);
        assertThat(plan.decide(true, true).leave()).hasSize(1);
    }

    @Test
    void lostSeatIsReplaced() {
        Claim first = queue.claim(Demand.permits(1, 2));
        SeatUse lost = queue.seat(first);
        plan.decide(true, true);
        assertThat(plan.decide(true, true).create()).isEmpty();

        queue.remove(lost);

        plan.decide(true, true);
        assertThat(plan.decide(true, true).create()).containsExactly(first);
    }

    @Test
    void seatsBeyondTheRequestsAreNotNeededAndTheLastOneLeavesFirst() {
        Claim first = queue.claim(Demand.permits(1, 3));
        Claim second = queue.claim(Demand.permits(1, 3));
        SeatUse front = queue.seat(first);
        SeatUse back = queue.seat(second);

        queue.leave(first);
        queue.leave(second);

        assertThat(plan.decide(true, true).leave()).containsExactly(back, front);
    }

    @Test
    void idleSeatIsReturnedOnceIfItMayStayAndAgainIfItMayNot() {
        SeatUse seat = queue.used(Demand.permits(1, 3));

        assertThat(plan.decide(true, true).leave()).containsExactly(seat);
        assertThat(plan.decide(true, true).leave()).isEmpty();
        assertThat(plan.decide(false, true).leave()).containsExactly(seat);
    }

    @Test
    void requestsGetSeatsWhenAllSeatsInUseGiveWay() {
        queue.inUse(Demand.permits(2, 2));
        Claim claim = queue.claim(Demand.permits(2, 2));
        plan.decide(true, true);
        assertThat(plan.decide(true, true).create()).isEmpty();

        queue.rounds.next();

        plan.decide(true, true);
        assertThat(plan.decide(true, true).create()).containsExactly(claim);
    }

    @Test
    void seatThatWaitsIsKeptWhenASeatInUseWillServeItsRequest() {
        SeatUse first = queue.inUse(Demand.permits(1, 2));
        queue.rounds.next();
        Claim claim = queue.claim(Demand.permits(1, 2));
        Claim next = queue.claim(Demand.permits(1, 2));
        plan.decide(true, true);
        assertThat(plan.decide(true, true).create()).containsExactly(claim, next);
        SeatUse front = queue.seat(claim);
        queue.seat(next);
        queue.end(first, first.turns().iterator().next());
        queue.becomeHead(front);

        queue.grant(claim, front);

        assertThat(plan.decide(true, true).leave()).containsExactly(first);
        assertThat(plan.decide(true, true).create()).isEmpty();
    }

    @Test
    void asManyRequestsMissSeatsAsAllPermitsSufficeFor() {
        Claim first = queue.claim(Demand.permits(1, 3));
        Claim second = queue.claim(Demand.permits(2, 3));
        queue.claim(Demand.permits(1, 3));

        assertThat(plan.decide(true, true).leave()).isEmpty();
        assertThat(plan.decide(true, true).create()).containsExactly(first, second);
    }

    @Test
    void smallestNumberOfPermitsLimitsTheSeats() {
        Claim first = queue.claim(Demand.permits(1, 3));
        Claim second = queue.claim(Demand.permits(1, 2));
        queue.claim(Demand.permits(1, 3));

        plan.decide(true, true);

        assertThat(plan.decide(true, true).create()).containsExactly(first, second);
    }

    @Test
    void requestIsMissingASeatWhilePermitsMayBeFree() {
        queue.inUse(Demand.permits(1, 3));
        Claim first = queue.claim(Demand.permits(1, 3));
        Claim second = queue.claim(Demand.permits(1, 3));
        queue.claim(Demand.permits(1, 3));

        assertThat(plan.decide(true, true).leave()).isEmpty();
        assertThat(plan.decide(true, true).create()).containsExactly(first, second);
    }

    @Test
    void requestIsMissingASeatIfNoSeatInUseWillServeIt() {
        queue.inUse(Demand.permits(3, 3));
        Claim smaller = queue.claim(Demand.permits(1, 3));

        plan.decide(true, true);

        assertThat(plan.decide(true, true).create()).containsExactly(smaller);
    }

    @Test
    void requestWaitsForASeatInUseThatWillServeItWhenNoPermitIsFree() {
        queue.inUse(Demand.permits(2, 2));
        queue.claim(Demand.permits(2, 2));

        plan.decide(true, true);

        assertThat(plan.decide(true, true).create()).isEmpty();
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
