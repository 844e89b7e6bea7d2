package io.github.zklock.zookeeper.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The limits of one turn. */
class TurnTest {

    private static final long LIMIT = Duration.ofSeconds(1).toNanos();

    private final PlannedSeats planned = new PlannedSeats(HandOff.strict());
    private final Turn turn = planned.inUse(Demand.EXCLUSIVE).turns().iterator().next();
    private final HoldLimit limit = new HoldLimit();
    private int takenBack;

    @Test
    void turnIsTakenBackAtItsLimit() {
        turn.limit(limit, LIMIT, () -> takenBack++);

        planned.time.advance(LIMIT - 1);
        assertThat(takenBack).isZero();
        planned.time.advance(1);

        assertThat(takenBack).isEqualTo(1);
    }

    @Test
    void limitThatWasMovedCountsOnce() {
        turn.limit(limit, LIMIT, () -> takenBack++);
        turn.limit(limit, 2 * LIMIT, () -> takenBack++);

        planned.time.advance(LIMIT);
        assertThat(takenBack).isZero();
        planned.time.advance(LIMIT);

        assertThat(takenBack).isEqualTo(1);
    }

    @Test
    void limitThatHasEndedWhenItsAlarmGoesOffTakesNothing() {
        turn.limit(limit, LIMIT, () -> takenBack++);

        limit.end();
        planned.time.advance(LIMIT);

        assertThat(takenBack).isZero();
    }

    @Test
    void limitThatHasEndedIsNotArmed() {
        limit.end();

        turn.limit(limit, LIMIT, () -> takenBack++);

        assertThat(planned.time.alarms()).isZero();
    }

    @Test
    void noLimitIsLeftOfATurnThatIsOver() {
        turn.limit(limit, LIMIT, () -> takenBack++);

        turn.endLimits();

        assertThat(planned.time.alarms()).isZero();
    }

    @Test
    void turnThatWasLostHasNoLimit() {
        turn.lose("the test takes it");

        turn.limit(limit, LIMIT, () -> takenBack++);

        assertThat(planned.time.alarms()).isZero();
    }
}
