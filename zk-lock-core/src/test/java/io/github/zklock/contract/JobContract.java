package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.fail;

import io.github.zklock.ClusterJob;
import io.github.zklock.ClusterJob.LastRun;
import io.github.zklock.JobNotDueException;
import io.github.zklock.LockContext;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.OncePer;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What a {@link ClusterJob} promises. */
public abstract class JobContract extends Contract {

    private static final OncePer HOURLY = OncePer.of(Duration.ofHours(1));
    /** Over as soon as a test has written it. */
    private static final OncePer OFTEN = OncePer.of(Duration.ofMillis(1)).tolerating(Duration.ZERO);

    @Test
    void jobRunsOnceInItsWindow() throws Exception {
        ClusterJob job = job(HOURLY);
        AtomicInteger runs = new AtomicInteger();

        assertThat(job.run(handle -> runs.incrementAndGet())).isTrue();
        assertThat(job.run(handle -> runs.incrementAndGet())).isFalse();

        assertThat(runs).hasValue(1);
        assertThat(job.name()).isEqualTo(LockName.of(name()));
        assertThat(job.oncePer()).isEqualTo(HOURLY);
    }

    @Test
    void jobRunsOnceInAllProcesses() throws Exception {
        ClusterJob here = job(HOURLY);
        ClusterJob there = jobOf(join(), HOURLY);

        assertThat(here.tryBegin()).hasValueSatisfying(LockHandle::close);

        assertThat(there.tryBegin()).isEmpty();
        assertThatExceptionOfType(JobNotDueException.class)
                .isThrownBy(() -> there.begin(LONG))
                .withMessageContaining("it is not due, because a run began at ")
                .satisfies(notDue -> assertThat(notDue.name()).isEqualTo(here.name()));
    }

    @Test
    void ofManyProcessesOneRunsTheJob() throws Exception {
        List<ClusterJob> jobs = new ArrayList<>();
        for (int process = 0; process < 4; process++) {
            Member joined = join();
            jobs.add(jobOf(joined, HOURLY));
            jobs.add(jobOf(joined, HOURLY));
        }
        AtomicInteger runs = new AtomicInteger();
        List<Callable<Boolean>> tries = new ArrayList<>();
        jobs.forEach(job -> tries.add(() -> job.run(handle -> runs.incrementAndGet())));
        ExecutorService threads = Executors.newFixedThreadPool(tries.size());
        try {
            for (Future<Boolean> each : threads.invokeAll(tries)) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(runs).hasValue(1);
    }

    @Test
    void jobRunsAgainWhenItsWindowIsOver() throws Exception {
        ClusterJob job = job(OFTEN);
        job.begin(LONG).close();
        LastRun first = job.lastRun().orElseThrow();

        await().until(() -> job.run(handle -> null));

        LastRun second = job.lastRun().orElseThrow();
        assertThat(second.begun()).isAfter(first.begun());
        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    void jobWithoutARunHasNoLastOne() throws Exception {
        assertThat(job(HOURLY).lastRun()).isEmpty();
    }

    @Test
    void runHoldsTheLockOfTheName() throws Exception {
        ClusterJob job = job(HOURLY);

        job.run(handle -> {
            assertThat(handle.isHeld()).isTrue();
            LockContext.assertHeld(name());
            return null;
        });
        try (LockHandle held = lock().acquire()) {
            assertThat(jobOf(join(), OFTEN).tryBegin()).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void loopThatRetriesTimeoutsEndsIfTheJobIsNotDue() throws Exception {
        ClusterJob job = job(HOURLY);
        job.begin(LONG).close();
        List<LockException> caught = new ArrayList<>();
        for (int attempt = 0; attempt < 10 && caught.size() == attempt; attempt++) {
            try {
                job.begin(SHORT).close();
            } catch (LockTimeoutException busy) {
                caught.add(busy);
            } catch (LockException other) {
                caught.add(0, other);
                break;
            }
        }

        assertThat(caught).singleElement().isInstanceOf(JobNotDueException.class);
    }

    @Test
    void busyLockIsAwaitedUntilTheDeadline() throws Exception {
        try (LockHandle held = lockOf(join()).acquire()) {
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> job(HOURLY).begin(BUSY));
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(job(HOURLY).lastRun()).isEmpty();
    }

    @Test
    void ofTwoWaitersOnlyTheFirstRuns() throws Exception {
        LockHandle held = lockOf(join()).acquire();
        // both have looked: the job is due
        Actor first = actor("first");
        Future<Boolean> one = first.start(() -> runOf(jobOf(join(), HOURLY)));
        awaitQueued(2);
        Actor second = actor("second");
        Future<Boolean> other = second.start(() -> runOf(jobOf(join(), HOURLY)));
        awaitQueued(3);

        held.close();

        assertThat(List.of(Actor.join(one), Actor.join(other))).containsExactlyInAnyOrder(true, false);
    }

    private static boolean runOf(ClusterJob job) throws InterruptedException {
        try {
            job.begin(LONG).close();
            return true;
        } catch (JobNotDueException notDue) {
            return false;
        }
    }

    @Test
    void failedRunCountsUnlessOnlySuccessDoes() throws Exception {
        ClusterJob job = job(HOURLY);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> job.run(handle -> {
                    throw new IOException("disk");
                }));

        assertThat(job.tryBegin()).isEmpty();

        ClusterJob counting = job(HOURLY.counting(OncePer.Counting.SUCCEEDED));
        AtomicInteger runs = new AtomicInteger();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> counting.run(handle -> {
                    runs.incrementAndGet();
                    throw new IOException("disk");
                }));
        assertThat(counting.run(handle -> runs.incrementAndGet())).isTrue();
        assertThat(counting.run(handle -> runs.incrementAndGet())).isFalse();
        assertThat(runs).hasValue(2);
        LastRun last = counting.lastRun().orElseThrow();
        assertThat(last.succeeded()).contains(last.begun());
    }

    @Test
    void successIsRecordedBeforeTheLockIsReleased() throws Exception {
        ClusterJob here = job(HOURLY.counting(OncePer.Counting.SUCCEEDED));
        ClusterJob there = jobOf(join(), HOURLY.counting(OncePer.Counting.SUCCEEDED));
        for (int run = 0; run < 10; run++) {
            String each = name() + "/" + run;
            ClusterJob first = registry().job(each, here.oncePer());
            ClusterJob second = join().registry().job(each, there.oncePer());
            LockHandle handle = first.begin(LONG);
            CompletableFuture<LockHandle> waiting = second.beginAsync(LONG);

            first.succeeded(handle);
            handle.close();

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> waiting.get(LONG.toMillis(), TimeUnit.MILLISECONDS))
                    .withCauseInstanceOf(JobNotDueException.class);
        }
    }

    @Test
    void successNeedsARunThatIsUnderWay() throws Exception {
        ClusterJob job = job(HOURLY.counting(OncePer.Counting.SUCCEEDED));
        LockHandle run = job.begin(LONG);
        job.succeeded(run).toCompletableFuture().get(LONG.toMillis(), TimeUnit.MILLISECONDS);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.succeeded(run))
                .withMessageContaining("No run of job '" + name() + "' is under way with this handle");
        run.close();
        try (LockHandle other = lock().acquire()) {
            assertThatIllegalArgumentException().isThrownBy(() -> job.succeeded(other));
        }
    }

    @Test
    void abandonedRunDoesNotCount() throws Exception {
        ClusterJob job = job(HOURLY);
        LockHandle run = job.begin(LONG);

        job.abandon(run).toCompletableFuture().get(LONG.toMillis(), TimeUnit.MILLISECONDS);

        assertThat(run.isHeld()).isFalse();
        assertThat(job.lastRun()).isEmpty();
        assertThat(job.run(handle -> null)).isTrue();
    }

    @Test
    void runThatLosesItsLockHasNotSucceeded() throws Exception {
        ClusterJob job = job(HOURLY.counting(OncePer.Counting.SUCCEEDED));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> job.run(handle -> {
                    forceOut(handle);
                    return null;
                }));

        LastRun last = job.lastRun().orElseThrow();
        assertThat(last.succeeded()).isEmpty();
        await().until(() -> job.run(handle -> null));
    }

    @Test
    void cancelledBeginIsNotRecorded() throws Exception {
        ClusterJob job = job(HOURLY);
        for (int run = 0; run < 20; run++) {
            CompletableFuture<LockHandle> begun = job.beginAsync(LONG);
            // at another step in each run
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(300L * run));
            // a begin before may be recorded and not undone yet
            if (!begun.cancel(false) && !begun.isCompletedExceptionally()) {
                begun.join().close();
                return;
            }
        }
        // a record that a cancelled begin has written is undone
        await().until(() -> job.run(handle -> null));
        awaitQueued(0);
    }

    @Test
    void interruptedBeginLeavesTheQueue() throws Exception {
        try (LockHandle held = lockOf(join()).acquire()) {
            Actor waiter = waiting("waiter", () -> job(HOURLY).begin(LONG));

            waiter.interrupt();

            awaitQueued(1);
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(job(HOURLY).lastRun()).isEmpty();
    }

    @Test
    void outageIsReportedAtTheDeadline() {
        ClusterJob job = job(HOURLY);
        cluster().outage();

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> job.begin(SHORT))
                .withMessageContaining("Job '" + name() + "' not begun");
    }

    @Test
    void closedRegistryBeginsNoRun() {
        Member other = join();
        ClusterJob job = jobOf(other, HOURLY);
        other.close();

        assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> job.begin(SHORT));
    }

    @Test
    void jobIsNotDueWithinItsOwnRun() throws Exception {
        ClusterJob job = job(OFTEN);

        job.run(handle -> {
            assertThatExceptionOfType(JobNotDueException.class)
                    .isThrownBy(() -> job.begin(SHORT))
                    .withMessageContaining("the run of this thread")
                    .withMessageContaining("still under way");
            return null;
        });
    }

    @Test
    void runWithinItsOwnRunDoesNothing() throws Exception {
        ClusterJob job = job(OFTEN);

        boolean ran = job.run(outer -> {
            assertThat(job.tryBegin()).isEmpty();
            assertThat(job.run(inner -> fail("a run within a run"))).isFalse();
            return null;
        });

        assertThat(ran).isTrue();
    }

    @Test
    void jobThatCountsSuccessIsNotDueWithinItsOwnRun() throws Exception {
        ClusterJob job = job(HOURLY.counting(OncePer.Counting.SUCCEEDED));

        boolean ran = job.run(outer -> {
            assertThat(job.tryBegin()).isEmpty();
            return null;
        });

        assertThat(ran).isTrue();
    }

    @Test
    void beginWithinTheLocksOwnScopeIsRefused() throws Exception {
        ClusterJob job = job(OFTEN);

        registry().executeLocked(job.name().value(), handle -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> job.begin(SHORT))
                    .withMessageContaining("this thread holds its lock");
            return null;
        });
    }

    @Test
    void badInputIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job(HOURLY).begin(Duration.ofSeconds(-1)))
                .withMessageContaining("is negative");
        assertThatIllegalArgumentException().isThrownBy(() -> registry().job("", HOURLY));
    }

    @Test
    void recordIsNoLock() throws Exception {
        job(HOURLY).begin(LONG).close();

        assertThat(registry().inspector().names("/", "", 1_000))
                .allSatisfy(name -> assertThat(name.value()).doesNotContain(".runs"));
    }

    private ClusterJob job(OncePer window) {
        return jobOf(member(), window);
    }

    private ClusterJob jobOf(Member process, OncePer window) {
        return process.registry().job(name(), window);
    }
}
