package io.github.zklock.zookeeper.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.FakeLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.OncePer;
import io.github.zklock.zookeeper.internal.runtime.DirectSteps;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.SessionQuestions;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that timers call: faster than their window, once per window, ever earlier, and by the clock of a time zone. */
class TimersTest {

    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final OncePer HOURLY = OncePer.of(HOUR);
    private static final long DAYS = 3;

    private final Servers servers = new Servers();
    private final List<Instant> runs = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "PT20S, PT2S, 1",
        "PT20S, PT7S, 3",
        "PT20S, PT10S, 2",
        "PT1H, PT1M, 2",
        "PT1H, PT30M, 3",
        "PT5S, PT1S, 1"
    })
    void runsOfAFastTimerBeginAtLeastAWindowApart(Duration length, Duration period, int processes) {
        OncePer window = OncePer.of(length);
        long calls = length.multipliedBy(50).dividedBy(period);
        for (int process = 0; process < processes; process++) {
            // at other times than those of the other processes
            Instant first = NOON.plus(period.multipliedBy(process).dividedBy(processes));
            timer(window, calls, call -> first.plus(period.multipliedBy(call)), Duration.ofMillis(40), process);
        }

        fire();

        assertThat(distances())
                .hasSizeGreaterThan(25)
                .allSatisfy(apart -> assertThat(apart).isGreaterThanOrEqualTo(length));
    }

    @Test
    void processThatStartsAtTheEndOfAWindowIsTolerated() {
        Instant early = NOON.plus(HOUR).minus(HOURLY.tolerance());
        timer(HOURLY, 60, call -> NOON.plus(Duration.ofMinutes(call)), Duration.ZERO, 1);
        timer(HOURLY, 1, call -> early, Duration.ZERO, 2);

        fire();

        assertThat(runs).containsExactly(NOON, early);
    }

    @Test
    void callBeforeTheToleranceIsNotDue() {
        timer(HOURLY, 1, call -> NOON, Duration.ZERO, 1);
        timer(HOURLY, 1, call -> NOON.plus(HOUR).minus(HOURLY.tolerance()).minusMillis(1), Duration.ZERO, 2);

        fire();

        assertThat(runs).containsExactly(NOON);
    }

    @Test
    void fastTimerIsTakenForOneInItsWindowOnly() {
        Duration[] calls = {
            Duration.ZERO, HOUR.dividedBy(2), HOUR, HOUR.multipliedBy(2).minusMillis(50)
        };
        timer(HOURLY, calls.length, call -> NOON.plus(calls[(int) call]), Duration.ZERO, 1);

        fire();

        assertThat(distances()).containsExactly(HOUR, HOUR.minusMillis(50));
    }

    @Test
    void timerThatFiresWithThatOfAnotherProcessIsNotFast() {
        timer(HOURLY, 1, call -> NOON, Duration.ZERO, 1);
        timer(HOURLY, 2, call -> NOON.plus(HOUR.multipliedBy(call)).plusMillis(1_000 - 1_050 * call), Duration.ZERO, 2);

        fire();

        assertThat(distances()).as("the other process has ended").containsExactly(HOUR.minusMillis(50));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void exactTimersRunTheJobOncePerPeriodAlthoughTheyAreEarly(int processes) {
        long hours = 24 * DAYS;
        for (int process = 0; process < processes; process++) {
            timer(HOURLY, hours, call -> NOON.plus(HOUR.multipliedBy(call)), Duration.ofSeconds(2), process);
        }

        fire();

        assertThat(runs).hasSize((int) hours);
        assertThat(distances())
                .allSatisfy(apart -> assertThat(apart).isGreaterThanOrEqualTo(HOUR.minus(HOURLY.tolerance())));
    }

    @ParameterizedTest
    @ValueSource(longs = {-500, -50, 50, 500})
    void driftingTimersRunTheJobAtEachCall(long drift) {
        long hours = 24 * DAYS;
        Duration period = HOUR.plusMillis(drift);
        timer(HOURLY, hours, call -> NOON.plus(period.multipliedBy(call)), Duration.ZERO, 1);

        fire();

        assertThat(runs).hasSize((int) hours);
        assertThat(distances()).containsOnly(period);
    }

    @Test
    void toleranceOfZeroSkipsTheTimerThatIsEarly() {
        OncePer exact = HOURLY.tolerating(Duration.ZERO);
        timer(exact, 3, call -> NOON.plus(HOUR.multipliedBy(call)).minusMillis(50 * call), Duration.ZERO, 1);

        fire();

        assertThat(distances()).containsOnly(HOUR.multipliedBy(2).minusMillis(100));
    }

    @Test
    void hourlyCronRunsInEachHourOfAClockChange() {
        for (String day : List.of("2026-03-29T00:00:00Z", "2026-10-25T00:00:00Z")) {
            for (OncePer window : List.of(HOURLY, HOURLY.alignedIn(BERLIN))) {
                Instant first = Instant.parse(day).minus(Duration.ofHours(12));
                runs.clear();
                servers.forgetAll();
                timer(window, 36, call -> first.plus(HOUR.multipliedBy(call)), Duration.ofMillis(50), 1);
                timer(window, 36, call -> first.plus(HOUR.multipliedBy(call)), Duration.ofMillis(50), 2);

                fire();

                assertThat(runs).as("%s, %s", day, window).hasSize(36);
            }
        }
    }

    @Test
    void dailyCronRunsEachDayOfAClockChangeIfItsWindowIsAligned() {
        for (String day : List.of("2026-03-26", "2026-10-22")) {
            Stream.of(1, 2)
                    .forEach(seed ->
                            dailyCron(day, OncePer.of(Duration.ofDays(1)).alignedIn(BERLIN), seed));

            fire();

            assertThat(runs).as(day).hasSize(7);
            runs.clear();
            servers.forgetAll();
        }
    }

    @Test
    void dailyCronIsSkippedOnTheShortDayIfItsWindowSlides() {
        dailyCron("2026-03-26", OncePer.of(Duration.ofDays(1)), 1);
        fire();

        assertThat(runs).as("not on the day with 23 hours").hasSize(6);

        runs.clear();
        servers.forgetAll();
        dailyCron("2026-03-26", OncePer.of(Duration.ofHours(22)), 1);
        fire();

        assertThat(runs).hasSize(7);
    }

    @Test
    void jobsThatWereNotCalledForTheLongestTimeAreForgotten() {
        FastTimers timers = new FastTimers();
        for (int job = 0; job <= FastTimers.MOST_JOBS; job++) {
            timers.add(LockName.of("/jobs/" + job), NOON);
        }

        assertThat(timers.contains(LockName.of("/jobs/0"), NOON)).isFalse();
        assertThat(timers.contains(LockName.of("/jobs/1"), NOON)).isTrue();
        assertThat(timers.contains(LockName.of("/jobs/1"), NOON.plusSeconds(1))).isFalse();
    }

    /** Adds seven calls at 3:30 by the clock of Berlin. */
    private void dailyCron(String firstDay, OncePer window, int seed) {
        LocalDate first = LocalDate.parse(firstDay);
        timer(
                window,
                7,
                call -> first.plusDays(call)
                        .atTime(LocalTime.of(3, 30))
                        .atZone(BERLIN)
                        .toInstant(),
                Duration.ofMillis(50),
                seed);
    }

    // the model

    private record Call(Instant at, Job job) {}

    private final List<Call> calls = new ArrayList<>();

    /** Adds the calls of one process, each of them early or late by at most this time. */
    private void timer(OncePer window, long count, LongFunction<Instant> times, Duration unsteadiness, long seed) {
        Random random = new Random(seed);
        int most = (int) unsteadiness.toMillis();
        Job job = servers.process(window);
        LongStream.range(0, count)
                .mapToObj(call ->
                        new Call(times.apply(call).plusMillis(most == 0 ? 0 : random.nextInt(-most, most + 1)), job))
                .forEach(calls::add);
    }

    /** Makes all calls in their order. */
    private void fire() {
        calls.sort(Comparator.comparing(Call::at));
        for (Call call : calls) {
            servers.now = call.at;
            try {
                call.job.tryBegin().ifPresent(run -> {
                    runs.add(call.at);
                    run.close();
                });
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
        calls.clear();
    }

    private List<Duration> distances() {
        List<Duration> distances = new ArrayList<>();
        for (int run = 1; run < runs.size(); run++) {
            distances.add(Duration.between(runs.get(run - 1), runs.get(run)));
        }
        return distances;
    }

    /** Servers that answer each request at once, and store the record of one job. */
    private static final class Servers implements SessionQuestions {

        private final RecordedSession wire = new RecordedSession();
        private final PinnedSession session = new PinnedSession(
                new EngineRun(Runnable::run),
                wire,
                wire.ungrouped(),
                new ManualTime(Runnable::run),
                (source, outcome) -> {});
        private Instant now = NOON;
        private WireSession.@Nullable Node record;

        Job process(OncePer window) {
            FakeLock lock = new FakeLock("/jobs/closing", new CopyOnWriteArrayList<>());
            return new Job(
                    lock.name(),
                    limit -> wait -> wait == null ? lock.acquireAsync() : lock.acquireAsync(wait),
                    window,
                    new Job.Shared(
                            new RunRecords(this, "/locks", "shop", Runnable::run),
                            Duration.ofSeconds(5),
                            new DirectSteps(),
                            Runnable::run,
                            () -> 0,
                            (LockHandle handle) -> true));
        }

        void forgetAll() {
            record = null;
        }

        @Override
        public <T> CompletableFuture<T> send(BiConsumer<PinnedSession, BiConsumer<Outcome, T>> request) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            request.accept(session, (outcome, value) -> answer.complete(value));
            wire.sent().forEach(this::answer);
            return answer;
        }

        private void answer(String request) {
            WireSession.Node before = record;
            if (request.equals("Write /locks/.runs")) {
                wire.answer(request, Outcome.OK, RecordedSession.node(new byte[0], 1, now.toEpochMilli()));
            } else if (request.startsWith("read ")) {
                wire.answer(request, before == null ? Outcome.NO_NODE : Outcome.OK, before);
            } else if (request.startsWith("Create ") || request.startsWith("Write ")) {
                WireSession.Node after = RecordedSession.node(
                        wire.written(), before == null ? 0 : before.version() + 1, now.toEpochMilli());
                record = after;
                wire.answer(request, Outcome.OK, after);
            }
        }
    }
}
