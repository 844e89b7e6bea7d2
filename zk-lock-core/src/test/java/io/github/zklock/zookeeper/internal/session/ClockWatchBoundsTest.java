package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.Time;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which samples of the clocks are compared, with a session timeout of 24 s. */
class ClockWatchBoundsTest {

    private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(24);
    private static final long EPOCH = 7L << 32;
    /** Each drift is compared with so many samples. */
    private static final int SAMPLES = 8;

    private final Clocks time = new Clocks();
    private final ClockWatch clocks = new ClockWatch(time);

    @Test
    void driftOfATwentyFourthOfTheTimeoutIsNotSuspicious() {
        assertThat(ClockWatch.isSuspicious(TIMEOUT / 24, TIMEOUT)).isFalse();
        assertThat(ClockWatch.isSuspicious(TIMEOUT / 24 + 1, TIMEOUT)).isTrue();
    }

    @Test
    void driftSinceAnInstantIsTheChangeOfTheLeadInEitherDirection() {
        time.wall = time.monotonic + millis(300);

        assertThat(clocks.driftNanosSince(millis(100))).isEqualTo(millis(200));
        assertThat(clocks.driftNanosSince(millis(500))).isEqualTo(millis(200));
    }

    @Test
    void leadIsComparedWithEachOfTheLatestSamples() {
        time.wall -= millis(600);
        assertThat(clocks.sampleDriftNanos()).isEqualTo(millis(600));

        time.wall += millis(600);

        // the lead is that of the beginning, and the sample in between is ahead of it
        assertThat(clocks.sampleDriftNanos()).isEqualTo(millis(600));
    }

    @Test
    void sampleIsForgottenAfterAsManyOthersAsOneTimeoutHas() {
        time.wall += millis(600);
        for (int sample = 1; sample <= SAMPLES; sample++) {
            assertThat(clocks.sampleDriftNanos()).as("sample %d", sample).isEqualTo(millis(600));
        }

        assertThat(clocks.sampleDriftNanos()).isZero();
    }

    @Test
    void resetBeginsANewComparisonOfBothClocks() {
        leaderProposes(1, 100_000);
        time.monotonic += millis(2000);
        time.wall += millis(3500);

        clocks.reset();

        assertThat(clocks.sampleDriftNanos()).isZero();
        assertThat(leaderProposes(2, 105_000)).isZero();
    }

    @Test
    void leadersTimeOfExactlyOneTimeoutAgoStillCounts() {
        leaderProposes(1, 100_000);
        time.monotonic += TIMEOUT;

        assertThat(leaderProposes(2, 130_000)).isEqualTo(millis(6000 - 1));
    }

    @Test
    void leadersTimesBetweenTheOldestAndTheLatestCountAsWell() {
        leaderProposes(1, 100_000);
        time.monotonic += TIMEOUT / 2;
        leaderProposes(2, 112_000);
        time.monotonic += TIMEOUT / 2 + 1;

        // the first one is too old, and the second one is not
        assertThat(leaderProposes(3, 130_000)).isBetween(millis(6000 - 2), millis(6000));
    }

    @Test
    void readingInWhichThisThreadDidNotRunIsRepeated() {
        time.pauseBeforeNextReadings(1, millis(5));

        assertThat(clocks.sampleDriftNanos()).isZero();
    }

    @Test
    void readingOfAMillisecondCounts() {
        time.pauseBeforeNextReadings(1, millis(1));

        assertThat(clocks.sampleDriftNanos()).isEqualTo(millis(1));
    }

    @Test
    void fourthReadingCountsHoweverLongItTakes() {
        time.pauseBeforeNextReadings(4, millis(5));

        assertThat(clocks.sampleDriftNanos()).isEqualTo(millis(5));
    }

    private long leaderProposes(long counter, long atMillis) {
        return clocks.leaderDriftNanos(EPOCH | counter, atMillis, time.monotonic, TIMEOUT);
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Clocks that stand still until they are moved. */
    private static final class Clocks implements Time {

        private long monotonic = millis(50_000);
        private long wall = monotonic;
        private int pauses;
        private long pause;

        /** The thread stops between the monotonic clock and the wall clock. */
        void pauseBeforeNextReadings(int readings, long nanos) {
            pauses = readings;
            pause = nanos;
        }

        @Override
        public long nanoTime() {
            return monotonic;
        }

        @Override
        public long wallNanos() {
            if (pauses > 0) {
                pauses--;
                monotonic += pause;
                wall += pause;
            }
            return wall;
        }

        @Override
        public Alarm after(long delayNanos, Runnable action) {
            throw new UnsupportedOperationException("No alarms here");
        }
    }
}
