package io.github.zklock.zookeeper.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.local.SeatPlan.Service;
import io.github.zklock.zookeeper.internal.queue.Demand;
import org.junit.jupiter.api.Test;

/** Each request has a seat of its own. */
class StrictPlanTest {

    private final PlannedSeats queue = new PlannedSeats(HandOff.strict());
    private final StrictPlan plan = queue.tell(new StrictPlan(queue.occupancy.waiting(), queue.seats.ready()));

    @Test
    void requestIsMissingASeatUntilItHasOne() {
        Claim claim = queue.claim(Demand.EXCLUSIVE);
        assertThat(plan.decide(true, true).create()).containsExactly(claim);
        assertThat(plan.decide(true, true).create())
                .as("a question changes nothing")
                .containsExactly(claim);
        assertThat(plan.decide(true, false).create()).isEmpty();

        queue.seat(claim);

        assertThat(plan.decide(true, true).create()).isEmpty();
    }

    @Test
    void requestThatHasLeftIsNotMissingASeat() {
        Claim claim = queue.claim(Demand.EXCLUSIVE);

        queue.leave(claim);

        assertThat(plan.decide(true, true).create()).isEmpty();
        assertThat(plan.decide(true, true).leave()).isEmpty();
    }

    @Test
    void requestsMissSeatsInTheOrderInWhichTheyWait() {
        Claim first = queue.claim(Demand.EXCLUSIVE);
        SeatUse seat = queue.seat(first);
        Claim second = queue.claim(Demand.EXCLUSIVE);
        Claim third = queue.claim(Demand.EXCLUSIVE);

        queue.remove(seat);

        assertThat(plan.decide(true, true).create()).containsExactly(first, second, third);
    }

    /** Readers: several seats are at the head. */
    @Test
    void eachRequestWhoseSeatIsAtTheHeadIsAtTheHead() {
        Claim first = queue.claim(Demand.READ);
        Claim second = queue.claim(Demand.READ);
        Claim third = queue.claim(Demand.READ);
        queue.head(first);
        queue.head(second);
        queue.seat(third);

        assertThat(plan.isAtHead(first)).isTrue();
        assertThat(plan.isAtHead(second)).isTrue();
        assertThat(plan.isAtHead(third)).isFalse();
        queue.leave(second);
        assertThat(plan.isAtHead(second)).isFalse();
    }

    @Test
    void seatAtTheHeadServesTheRequestForWhichItWasCreated() {
        Claim first = queue.claim(Demand.EXCLUSIVE);
        Claim second = queue.claim(Demand.EXCLUSIVE);
        queue.seat(first);
        SeatUse other = queue.seat(second);
        assertThat(plan.next()).isNull();

        queue.becomeHead(other);

        assertThat(plan.next()).isEqualTo(new Service(second, other));
        assertThat(plan.servedBy(other)).containsExactly(second);
    }

    @Test
    void seatWhoseRequestHasLeftServesNobodyAndIsNotNeeded() {
        Claim claim = queue.claim(Demand.EXCLUSIVE);
        SeatUse seat = queue.seat(claim);
        queue.becomeHead(seat);

        queue.leave(claim);

        assertThat(plan.next()).isNull();
        assertThat(plan.decide(true, true).leave()).containsExactly(seat);
        assertThat(plan.decide(true, true).leave())
                .as("a question changes nothing")
                .containsExactly(seat);
    }

    @Test
    void usedSeatServesNobodyElseAndIsNotNeededAfterItsTurn() {
        Claim claim = queue.claim(Demand.EXCLUSIVE);
        SeatUse seat = queue.seat(claim);
        queue.becomeHead(seat);
        Turn turn = queue.grant(claim, seat);
        assertThat(plan.servedBy(seat)).isEmpty();
        assertThat(plan.decide(true, true).leave()).isEmpty();

        queue.end(seat, turn);

        assertThat(plan.next()).isNull();
        assertThat(plan.decide(true, true).leave()).containsExactly(seat);
    }

    @Test
    void requestWhoseSeatIsLostIsMissingAnotherOne() {
        Claim claim = queue.claim(Demand.EXCLUSIVE);
        SeatUse seat = queue.seat(claim);

        queue.remove(seat);

        assertThat(plan.decide(true, true).create()).containsExactly(claim);
        assertThat(plan.decide(true, true).leave()).isEmpty();
    }

    @Test
    void lossOfAnEarlierSeatDoesNotConcernARequestWithAnotherOne() {
        Claim claim = queue.claim(Demand.EXCLUSIVE);
        SeatUse earlier = queue.seat(claim);
        queue.seat(claim);

        queue.remove(earlier);

        assertThat(plan.decide(true, true).create()).isEmpty();
    }

    @Test
    void lostSeatOfARequestThatDoesNotWaitIsNotReplaced() {
        Claim claim = queue.claim(Demand.EXCLUSIVE);
        SeatUse seat = queue.seat(claim);
        queue.occupancy.leave(claim);

        queue.remove(seat);

        assertThat(plan.decide(true, true).create()).isEmpty();
    }

    @Test
    void lostSeatThatWasNotNeededIsForgotten() {
        Claim claim = queue.claim(Demand.EXCLUSIVE);
        SeatUse seat = queue.seat(claim);
        queue.leave(claim);

        queue.remove(seat);

        assertThat(plan.decide(true, true).leave()).isEmpty();
    }
}
