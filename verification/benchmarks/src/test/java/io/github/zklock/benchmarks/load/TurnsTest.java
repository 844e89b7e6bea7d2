package io.github.zklock.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnsTest {

    private static final double NANOS_PER_MICRO = 1_000;

    private final Thread.UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();

    @AfterEach
    void restore() {
        Thread.setDefaultUncaughtExceptionHandler(usual);
    }

    @Test
    void figuresAreRateAndWaits() {
        Histogram waits = new Histogram();
        for (int wait = 1; wait <= 1_000; wait++) {
            waits.add(TimeUnit.MICROSECONDS.toNanos(wait));
        }

        Figures figures = Turns.figures(waits, 4);

        assertThat(figures.get(Figures.RATE)).isEqualTo(250);
        assertThat(figures.get(Figures.COUNT)).isEqualTo(1_000);
        assertThat(figures.get(Figures.MEDIAN)).isCloseTo(500, within(20.0));
        assertThat(figures.get(Figures.P99)).isCloseTo(990, within(40.0));
        assertThat(figures.get(Figures.P999)).isCloseTo(999, within(40.0));
        assertThat(figures.get(Figures.TAIL)).isCloseTo(2, within(0.1));
    }

    @Test
    void fewTurnsHaveNoTail() {
        Histogram waits = new Histogram();
        for (int wait = 0; wait < 999; wait++) {
            waits.add((long) NANOS_PER_MICRO);
        }

        Figures figures = Turns.figures(waits, 1);

        assertThat(figures.has(Figures.P99)).isTrue();
        assertThat(figures.has(Figures.P999)).isFalse();
        assertThat(figures.has(Figures.TAIL)).isFalse();
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
