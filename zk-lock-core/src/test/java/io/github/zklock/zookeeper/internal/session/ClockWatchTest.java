package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.Time;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the clocks say of a machine that was suspended, with a session timeout of 24 s, of which a second may go unnoticed. */
class ClockWatchTest {

    private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(24);
    private static final long EPOCH = 7L << 32;

    private final MovingTime time = new MovingTime();
    private final ClockWatch clocks = new ClockWatch(time);

    @Test
    void clocksThatRunTogetherHaveNotDrifted() {
        time.pass(3000, 3000);

        assertThat(clocks.sampleDriftNanos()).isZero();
    }

    @Test
    void monotonicClockThatStoodStillHasDriftedFromTheWallClock() {
        time.pass(0, 1500);

        long drift = clocks.sampleDriftNanos();

        assertThat(drift).isEqualTo(millis(1500));
        assertThat(ClockWatch.isSuspicious(drift, TIMEOUT)).isTrue();
    }

    @Test
    void wallClockThatWasSetBackHasDrifted() {
        // it would hide a suspension of the same length
        time.pass(1000, -500);

        assertThat(clocks.sampleDriftNanos()).isEqualTo(millis(1500));
    }

    @Test
    void shortSuspensionsAddUp() {
        time.pass(1000, 1600);
        assertThat(ClockWatch.isSuspicious(clocks.sampleDriftNanos(), TIMEOUT)).isFalse();

        time.pass(1000, 1600);

        assertThat(ClockWatch.isSuspicious(clocks.sampleDriftNanos(), TIMEOUT)).isTrue();
    }

    @Test
    void suspensionThatStoppedBothClocksShowsByTheLeadersClock() {
        // M28
        leaderProposes(EPOCH | 1, 100_000);
        time.pass(2000, 2000);

        long drift = leaderProposes(EPOCH | 2, 105_000);

        // the leader's clock ran 5 s, this one 2 s, and each reading may be a millisecond off
        assertThat(drift).isEqualTo(millis(3000 - 1));
        assertThat(clocks.sampleDriftNanos()).isZero();
    }

    @Test
    void timeOnTheWayIsNoDrift() {
        leaderProposes(EPOCH | 1, 100_000);
        long sentAt = time.nanoTime();
        time.pass(4000, 4000);

        // proposed when it was sent, and answered 4 s later
        assertThat(clocks.leaderDriftNanos(EPOCH | 2, 100_000, sentAt, TIMEOUT)).isZero();
        // proposed just before it was answered
        assertThat(clocks.leaderDriftNanos(EPOCH | 3, 104_000, sentAt, TIMEOUT)).isZero();
    }

    @Test
    void anotherLeaderHasAnotherClock() {
        leaderProposes(EPOCH | 1, 100_000);

        assertThat(leaderProposes(8L << 32, 900_000)).isZero();
        assertThat(leaderProposes(8L << 32 | 1, 900_000)).isZero();
    }

    @Test
    void nodesOlderThanTheSessionTimeoutDoNotCount() {
        leaderProposes(EPOCH | 1, 100_000);
        time.pass(25_000, 25_000);

        assertThat(leaderProposes(EPOCH | 2, 200_000)).isZero();
    }

    private long leaderProposes(long zxid, long atMillis) {
        return clocks.leaderDriftNanos(zxid, atMillis, time.nanoTime(), TIMEOUT);
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Two clocks that are moved apart from each other. */
    private static final class MovingTime implements Time {

        private long monotonic = millis(50_000);
        private long wall = millis(1_000_000);

        void pass(long monotonicMillis, long wallMillis) {
            monotonic += millis(monotonicMillis);
            wall += millis(wallMillis);
        }

        @Override
        public long nanoTime() {
            return monotonic;
        }

        @Override
        public long wallNanos() {
            return wall;
        }

        @Override
        public Alarm after(long delayNanos, Runnable action) {
            throw new UnsupportedOperationException("No alarms here");
        }
    }
}
