package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.FencingToken;
import io.github.zklock.LockEvent;
import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LockHistoryTest {

    private static final LockName NAME = LockName.of("/orders");
    private static final FencingToken TOKEN = new FencingToken(7);
    private static final long START = 1_000_000_000_000L;

    private final AtomicLong now = new AtomicLong(START);
    private final LockInspector inspector = Inspectors.idle();
    private final LockHistory history = new LockHistory(inspector, () -> Instant.ofEpochMilli(now.get()));

    @Test
    void addsUpWhatHappenedInFiveSeconds() {
        history.onEvent(new LockEvent.Acquired(NAME, TOKEN, Duration.ofMillis(10)));
        now.addAndGet(4999);
        history.onEvent(new LockEvent.Acquired(NAME, TOKEN, Duration.ofMillis(30)));
        history.onEvent(new LockEvent.Released(NAME, TOKEN, Duration.ofMillis(7)));
        history.onEvent(new LockEvent.TimedOut(NAME, Duration.ofSeconds(1)));
        history.onEvent(new LockEvent.Unavailable(NAME, Duration.ofSeconds(1)));

        List<StateReport.Point> points = history.points(2, 1);

        assertThat(points).hasSize(60);
        assertThat(points.get(59)).isEqualTo(new StateReport.Point(START, 2, 1, 1, 0, 20, 30, 7, 7, 2, 1));
        assertThat(points.get(58)).isEqualTo(new StateReport.Point(START - 5000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void whatStoodStillStandsInThePointsBetween() {
        history.points(3, 2);
        now.addAndGet(15_000);

        List<StateReport.Point> points = history.points(1, 0);

        assertThat(points.subList(56, 60)).extracting(StateReport.Point::held).containsExactly(3, 3, 3, 1);
        assertThat(points.subList(56, 60))
                .extracting(StateReport.Point::waiting)
                .containsExactly(2, 2, 2, 0);
    }

    @Test
    void forgetsWhatIsOlderThanFiveMinutes() {
        history.onEvent(new LockEvent.Acquired(NAME, TOKEN, Duration.ZERO));
        now.addAndGet(Duration.ofMinutes(5).toMillis() - 5000);
        List<StateReport.Point> justSo = history.points(0, 0);
        now.addAndGet(5000);
        List<StateReport.Point> tooOld = history.points(0, 0);
        now.addAndGet(Duration.ofDays(400).toMillis());
        List<StateReport.Point> muchLater = history.points(0, 0);

        assertThat(justSo).hasSize(60).extracting(StateReport.Point::acquired).startsWith(1);
        assertThat(tooOld).hasSize(60).extracting(StateReport.Point::acquired).containsOnly(0);
        assertThat(muchLater).hasSize(60);
        assertThat(muchLater.get(59).at() - muchLater.get(0).at()).isEqualTo(59 * 5000);
    }

    @Test
    void aClockThatGoesBackLosesNothing() {
        history.onEvent(new LockEvent.Acquired(NAME, TOKEN, Duration.ZERO));
        now.addAndGet(-240_000);
        history.onEvent(new LockEvent.Acquired(NAME, TOKEN, Duration.ZERO));

        List<StateReport.Point> points = history.points(0, 0);

        assertThat(points.get(59).acquired()).isEqualTo(2);
    }

    @Test
    void aClockThatIsCorrectedAfterALeapDoesNotStandStillUntilItIsThereAgain() {
        now.addAndGet(Duration.ofDays(30).toMillis());
        history.onEvent(new LockEvent.Acquired(NAME, TOKEN, Duration.ZERO));
        now.addAndGet(-Duration.ofDays(30).toMillis());

        List<StateReport.Point> points = history.points(0, 0);

        assertThat(points).hasSize(60);
        assertThat(points.get(59).at()).isEqualTo(START);
        assertThat(points).extracting(StateReport.Point::acquired).containsOnly(0);
    }

    @Test
    void knowsTheLastTwentyLosses() {
        for (int i = 1; i <= 25; i++) {
            history.onEvent(new LockEvent.Lost(LockName.of("/l" + i), TOKEN, "session over"));
        }

        assertThat(history.losses()).hasSize(20);
        assertThat(history.losses().get(0)).isEqualTo(new StateReport.Loss("/l25", "7", "session over", START));
        assertThat(history.points(0, 0).get(59).losses()).isEqualTo(25);
    }
}
