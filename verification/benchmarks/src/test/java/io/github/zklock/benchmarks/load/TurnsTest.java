package io.github.zklock.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnsTest {

    private final Thread.UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();

    @AfterEach
    void restore() {
        Thread.setDefaultUncaughtExceptionHandler(usual);
    }

    @Test
    void figuresAreRateAndWaits() {
        Histogram waits = Turns.histogram();
        for (int wait = 1; wait <= 1_000; wait++) {
            waits.recordValue(TimeUnit.MICROSECONDS.toNanos(wait));
        }

        Figures figures = Turns.figures(waits, System.nanoTime() - TimeUnit.HOURS.toNanos(1));

        assertThat(figures.get(Figure.RATE) * TimeUnit.HOURS.toSeconds(1)).isCloseTo(1_000, withinPercentage(1));
        assertThat(figures.get(Figure.COUNT)).isEqualTo(1_000);
        assertThat(figures.get(Figure.MEDIAN)).isCloseTo(500, withinPercentage(1));
        assertThat(figures.get(Figure.P99)).isCloseTo(990, withinPercentage(1));
        assertThat(figures.get(Figure.TAIL)).isCloseTo(2, withinPercentage(2));
    }

    @Test
    void fewTurnsHaveNoTail() {
        Histogram waits = Turns.histogram();
        for (int wait = 0; wait < 999; wait++) {
            waits.recordValue(TimeUnit.MICROSECONDS.toNanos(1));
        }

        Figures figures = Turns.figures(waits, System.nanoTime());

        assertThat(figures.has(Figure.P99)).isTrue();
        assertThat(figures.has(Figure.TAIL)).isFalse();
    }

    @Test
    void failureIsReportedWhileOtherThreadsWait(@TempDir Path folder) throws Exception {
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        ExclusionCheck check = new ExclusionCheck(folder.resolve("witness"));
        Arguments arguments = Arguments.parse(List.of("threads=2", "claim=one", "work=50"));

        try (Turns turns = new Turns(new NoLock(), check, arguments)) {
            // the first overlap ends the run, because all later turns fail as well
            assertThatThrownBy(() -> turns.run(Duration.ofSeconds(60))).isInstanceOf(IllegalStateException.class);
        }

        assertThat(failures).first().asString().contains("Others hold the lock as well");
    }

    /** A system that grants all calls at once. */
    private static final class NoLock implements Contender {

        @Override
        public LockAdapter exclusive(String name) {
            return ExclusionCheckTest.GRANTED_TO_ALL;
        }

        @Override
        public void close() {}
    }
}
