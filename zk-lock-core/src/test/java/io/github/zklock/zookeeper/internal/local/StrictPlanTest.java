package io.github.zklock.zookeeper.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.local.SeatPlan.Service;
import io.github.zklock.zookeeper.internal.queue.Demand;
import org.junit.jupiter.api.Test;

/** Each request has a seat of its own. */
class StrictPlanTest {

    private final PlannedSeats queue = new PlannedSeats(HandOff.strict());
    private final StrictPlan plan = new StrictPlan(queue.waiting, queue.heads);

    @Test
    void requestIsMissingASeatUntilItIsAskedFor() {
        Claim claim = enter();

        assertThat(plan.missing()).containsExactly(claim);
        assertThat(plan.missing()).isEmpty();
    }

    @Test
    void requestThatHasLeftIsNotMissingASeat() {
        Claim claim = enter();

        leave(claim);

        assertThat(plan.missing()).isEmpty();
        assertThat(plan.unneeded()).isEmpty();
    }

    @Test
    void requestsMissSeatsInTheOrderInWhichTheyWait() {
        Claim first = enter();
        SeatUse seat = add(first);
        plan.missing();
        Claim second = enter();
        Claim third = enter();

        remove(seat);

        assertThat(plan.missing()).containsExactly(first, second, third);
    }

    @Test
    void seatAtTheHeadServesTheRequestForWhichItWasCreated() {
        Claim first = enter();
        Claim second = enter();
        add(first);
        SeatUse other = add(second);
        assertThat(plan.next()).isNull();

        queue.becomeHead(other);

        assertThat(plan.next()).isEqualTo(new Service(second, other));
        assertThat(plan.servedBy(other)).containsExactly(second);
    }

    @Test
    void seatWhoseRequestHasLeftServesNobodyAndIsNotNeeded() {
        Claim claim = enter();
        SeatUse seat = add(claim);
        queue.becomeHead(seat);

        leave(claim);

        assertThat(plan.next()).isNull();
        assertThat(plan.unneeded()).containsExactly(seat);
        assertThat(plan.unneeded()).isEmpty();
    }

    @Test
    void usedSeatServesNobodyElseAndIsNotNeededAfterItsTurn() {
        Claim claim = enter();
        SeatUse seat = add(claim);
        queue.becomeHead(seat);
        Turn turn = queue.grant(claim, seat);
        plan.left(claim);
        assertThat(plan.servedBy(seat)).isEmpty();
        assertThat(plan.unneeded()).isEmpty();

        seat.end(turn);
        plan.changed(seat);

        assertThat(plan.next()).isNull();
        assertThat(plan.unneeded()).containsExactly(seat);
    }

    @Test
    void requestWhoseSeatIsLostIsMissingAnotherOne() {
        Claim claim = enter();
        plan.missing();
        SeatUse seat = add(claim);

        remove(seat);

        assertThat(plan.missing()).containsExactly(claim);
        assertThat(plan.unneeded()).isEmpty();
    }

    @Test
    void lossOfAnEarlierSeatDoesNotConcernARequestWithAnotherOne() {
        Claim claim = enter();
        plan.missing();
        SeatUse earlier = add(claim);
        add(claim);

        remove(earlier);

        assertThat(plan.missing()).isEmpty();
    }

    @Test
    void lostSeatOfARequestThatDoesNotWaitIsNotReplaced() {
        Claim claim = enter();
        plan.missing();
        SeatUse seat = add(claim);
        queue.waiting.remove(claim);

        remove(seat);

        assertThat(plan.missing()).isEmpty();
    }

    @Test
    void lostSeatThatWasNotNeededIsForgotten() {
        Claim claim = enter();
        SeatUse seat = add(claim);
        leave(claim);

        remove(seat);

        assertThat(plan.unneeded()).isEmpty();
    }

    private Claim enter() {
        Claim claim = queue.claim(Demand.EXCLUSIVE);
        plan.entered(claim);
        return claim;
    }

    private void leave(Claim claim) {
        queue.waiting.remove(claim);
        plan.left(claim);
    }

    private SeatUse add(Claim seeker) {
        SeatUse use = queue.seat(seeker);
        plan.added(use);
        return use;
    }

    private void remove(SeatUse use) {
        queue.seats.remove(use);
        queue.heads.remove(use);
        plan.removed(use);
    }
}
