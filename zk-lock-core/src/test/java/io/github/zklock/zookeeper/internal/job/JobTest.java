package io.github.zklock.zookeeper.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.ClusterLock;
import io.github.zklock.FakeHandle;
import io.github.zklock.FakeLock;
import io.github.zklock.JobNotDueException;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.OncePer;
import io.github.zklock.zookeeper.internal.runtime.DirectSteps;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.SessionQuestions;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A job whose lock is granted at once, and whose records are answered as the test says. */
class JobTest {

    /** The write whose answer contains the time. */
    private static final String TIME = "Write /locks/.runs";

    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    private final RecordedSession servers = new RecordedSession();
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run),
            servers,
            servers.ungrouped(),
            new ManualTime(Runnable::run),
            (source, outcome) -> {});
    private final Queue<Runnable> pauses = new ArrayDeque<>();
    private final DirectSteps steps = new DirectSteps();
    /** The tasks for the executor of users' code; run at once unless a test keeps them. */
    private final Queue<Runnable> kept = new ArrayDeque<>();

    private final List<CompletableFuture<?>> questions = new ArrayList<>();
    private boolean keeps;
    private boolean disconnected;
    /** The number of requests that can still be sent. */
    private int sendable = Integer.MAX_VALUE;
    /** Whether a scope on the thread belongs to the registry of the job. */
    private boolean own = true;

    private long nanos;
    private final Job.Shared shared = new Job.Shared(
            new RunRecords(
                    new SessionQuestions() {
                        @Override
                        public <T> CompletableFuture<T> send(
                                BiConsumer<PinnedSession, BiConsumer<Outcome, T>> request) {
                            if (sendable-- == 0) {
                                throw new OutOfMemoryError("planted by the test");
                            }
                            CompletableFuture<T> answer = new CompletableFuture<>();
                            questions.add(answer);
                            request.accept(session, (outcome, value) -> answer.complete(value));
                            if (disconnected) {
                                servers.answer(TIME, Outcome.CONNECTION_LOST, null);
                                servers.answer("read", Outcome.CONNECTION_LOST, null);
                            }
                            return answer;
                        }
                    },
                    "/locks",
                    "shop-1",
                    pauses::add),
            Duration.ofMillis(200),
            steps,
            task -> {
                if (keeps) {
                    kept.add(task);
                } else {
                    task.run();
                }
            },
            () -> nanos,
            handle -> own);
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable FakeHandle> granted = new AtomicReference<>();
    private final FakeLock lock = new FakeLock("/jobs/closing", log).onGrant(granted::set);
    private final Job job = job(lock, OncePer.of(Duration.ofHours(1)).counting(OncePer.Counting.SUCCEEDED));

    @Test
    void lockIsAwaitedForWhatIsLeftOfTheTime() {
        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        nanos += TimeUnit.SECONDS.toNanos(3);
        answerLook(null);

        assertThat(log).containsExactly("ask /jobs/closing PT2S");
        assertThat(begun).isNotDone();
    }

    @Test
    void lockIsNotRequestedAfterTheDeadline() {
        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        nanos += WAIT.toNanos();
        answerLook(null);

        assertThat(begun).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(LockUnavailableException.class);
        assertThat(log).isEmpty();
    }

    /** Otherwise the questions would pile up during an outage, and all be asked at its end. */
    @Test
    void aCallThatIsOverWithdrawsItsQuestion() throws Exception {
        CompletableFuture<LockHandle> limited = job.beginAsync(WAIT);
        CompletableFuture<LockHandle> cancelled = job.beginAsync(null);

        steps.runLater();
        cancelled.cancel(false);
        assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(job::lastRun);

        assertThat(limited).isCompletedExceptionally();
        assertThat(questions).hasSize(3).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void answersUnderTheLockAreAwaitedForASecond() throws Exception {
        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        nanos += WAIT.toNanos() - 1;
        answerLook(null);
        steps.runLater();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> begun.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .withCauseInstanceOf(LockUnavailableException.class)
                .withMessageContaining("Job '/jobs/closing' not begun: ZooKeeper did not answer in time");
        answerLook(null);
        // the caller is notified first
        Awaitility.await().atMost(PATIENCE).until(() -> log.contains("close /jobs/closing"));
        assertThat(servers.sent()).noneMatch(request -> request.startsWith("Create "));
    }

    @Test
    void lookUnderTheLockFindsTheRunOfAnother() {
        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        answerLook(null);
        answerLook(entry(0, "{\"succeeded\":\"" + NOON + "\"}"));

        assertThat(begun).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(JobNotDueException.class);
        assertThat(log).last().isEqualTo("close /jobs/closing");
    }

    @Test
    void runThatIsRecordedAfterItsCallerHasLeftIsUndoneBeforeTheRelease() {
        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        answerLook(null);
        answerLook(null);
        begun.cancel(false);
        servers.answer("Create ", Outcome.OK, entry(0, servers.written()));

        assertThat(log).doesNotContain("close /jobs/closing");
        servers.answer("version", Outcome.OK, entry(1, servers.written()));

        assertThat(log).last().isEqualTo("close /jobs/closing");
        assertThat(shared.underWay().count()).isZero();
    }

    @Test
    void runWhoseLockIsLostIsUndone() {
        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        answerLook(null);
        answerLook(null);
        handle().become(LockState.LOST);
        servers.answer("Create ", Outcome.OK, entry(0, servers.written()));
        servers.answer("version", Outcome.OK, entry(1, servers.written()));

        assertThat(begun).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(LockLostException.class);
        assertThat(log).last().isEqualTo("close /jobs/closing");
        assertThat(shared.underWay().count()).isZero();
    }

    @Test
    void releasedRunsAreForgotten() {
        LockHandle run = begin();
        assertThat(shared.underWay().count()).isOne();

        run.close();

        assertThat(shared.underWay().count()).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> job.succeeded(run));
        assertThatIllegalArgumentException().isThrownBy(() -> job.abandon(run));
    }

    @Test
    void nextRunKeepsTheSuccessOfTheOneBefore() {
        Instant yesterday = NOON.minus(Duration.ofDays(1));
        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        answerLook(entry(3, "{\"succeeded\":\"" + yesterday + "\"}"));
        answerLook(entry(3, "{\"succeeded\":\"" + yesterday + "\"}"));

        assertThat(begun).isNotDone();
        assertThat(new RunRecord(entry(4, servers.written())).succeeded()).isEqualTo(yesterday);
    }

    @Test
    void undoKeepsTheSuccessOfTheRunBefore() {
        String before = "{\"token\":7,\"succeeded\":\"" + NOON.minus(Duration.ofDays(1)) + "\"}";
        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        answerLook(entry(3, before));
        answerLook(entry(3, before));
        servers.answer("version", Outcome.OK, entry(4, servers.written()));

        job.abandon(begun.join());

        assertThat(new RunRecord(entry(5, servers.written())).succeeded()).isEqualTo(NOON.minus(Duration.ofDays(1)));
    }

    @Test
    void successIsNotReportedIfAnotherRunHasBegun() {
        LockHandle run = begin();
        CompletableFuture<Void> recorded = job.succeeded(run).toCompletableFuture();

        servers.answer("version", Outcome.REFUSED, null);
        pauses.remove().run();
        answerLook(entry(1, "{\"token\":9}"));

        assertThat(recorded)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("another run had begun before that was recorded");
    }

    @Test
    void cancelledBeginLeavesTheQueueOfTheLock() {
        CompletableFuture<LockHandle> requested = new CompletableFuture<>();
        ClusterLock busy = busy(requested);
        CompletableFuture<LockHandle> begun =
                job(busy, OncePer.of(Duration.ofHours(1))).beginAsync(WAIT);
        answerLook(null);

        begun.cancel(false);

        assertThat(requested).isCancelled();
    }

    @Test
    void successIsToldOnTheExecutorForCodeOfUsers() {
        LockHandle run = begin();
        CompletableFuture<Void> recorded = job.succeeded(run).toCompletableFuture();
        keeps = true;
        servers.answer("version", Outcome.OK, entry(1, servers.written()));

        assertThat(recorded).isNotDone();
        kept.remove().run();
        assertThat(recorded).isCompleted();
    }

    @Test
    void stepsDoNotWaitForCodeOfUsers() {
        keeps = true;
        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        answerLook(null);
        answerLook(null);
        begun.cancel(false);
        servers.answer("Create ", Outcome.OK, entry(0, servers.written()));
        servers.answer("version", Outcome.OK, entry(1, servers.written()));

        assertThat(kept).isEmpty();
        assertThat(handle().state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void aStageThatBlocksAtTheCancellationDoesNotKeepTheRequestInTheQueue() {
        CompletableFuture<LockHandle> requested = new CompletableFuture<>();
        ClusterLock busy = busy(requested);
        CompletableFuture<LockHandle> begun =
                job(busy, OncePer.of(Duration.ofHours(1))).beginAsync(WAIT);
        answerLook(null);
        AtomicBoolean left = new AtomicBoolean();
        CompletableFuture<Void> stage = begun.handle((run, failure) -> {
            left.set(requested.isCancelled());
            return null;
        });

        begun.cancel(false);

        assertThat(stage).isCompleted();
        assertThat(left).isTrue();
    }

    @Test
    void lostRunHasNotSucceeded() {
        LockHandle run = begin();
        servers.sent();
        handle().become(LockState.LOST);

        assertThat(job.succeeded(run).toCompletableFuture())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(LockLostException.class)
                .withMessageContaining("The success of job '/jobs/closing' is not recorded");
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void abandonedRunIsUndoneBeforeTheRelease() {
        LockHandle run = begin();

        CompletableFuture<Void> abandoned = job.abandon(run).toCompletableFuture();
        assertThat(run.isHeld()).isTrue();
        servers.answer("version", Outcome.OK, entry(1, servers.written()));

        assertThat(abandoned).isCompleted();
        assertThat(run.state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void runThatCannotBeUndoneIsReleased() {
        LockHandle run = begin();

        CompletableFuture<Void> abandoned = job.abandon(run).toCompletableFuture();
        servers.answer("version", Outcome.ACCESS_DENIED, null);

        assertThat(abandoned)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("The begin of job '/jobs/closing' is not undone: an access list forbids");
        assertThat(run.state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void lockIsReleasedIfTheLookUnderItCannotBeSent() {
        sendable = 1;

        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        answerLook(null);

        assertThat(begun).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(OutOfMemoryError.class);
        assertThat(handle().state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void runWhoseUndoCannotBeSentIsReleased() {
        LockHandle run = begin();
        sendable = 0;

        CompletableFuture<Void> abandoned = job.abandon(run).toCompletableFuture();

        assertThat(abandoned).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(OutOfMemoryError.class);
        assertThat(run.state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void jobIsNotBegunUnderItsOwnLock() {
        FakeHandle held = new FakeHandle(LockName.of("/jobs/closing"), log);
        try (LockContext.Scope scope = LockContext.open(held)) {
            assertThat(job.beginAsync(WAIT))
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withMessageContaining("this thread holds its lock");
        }
    }

    @Test
    void jobIsBegunUnderTheLockOfAnotherRegistry() {
        own = false;
        FakeHandle held = new FakeHandle(LockName.of("/jobs/closing"), log);
        try (LockContext.Scope scope = LockContext.open(held)) {
            assertThat(begin().isHeld()).isTrue();
        }
    }

    @Test
    void runThatBeganWhenItsCallerWasInterruptedIsAbandoned() {
        LockHandle run = begin();
        CompletableFuture<LockHandle> begunMeanwhile = new CompletableFuture<>() {
            @Override
            public LockHandle get() throws InterruptedException {
                complete(run);
                throw new InterruptedException();
            }
        };

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> job.await(begunMeanwhile));

        servers.answer("version", Outcome.OK, entry(1, servers.written()));
        assertThat(run.state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void lookForTheLastRunIsRepeatedUntilTheConnectionTimeout() {
        disconnected = true;

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(job::lastRun)
                .withMessage("The last run of job '/jobs/closing' is not known: ZooKeeper did not answer in time");
        assertThat(pauses).hasSize(1);
    }

    private ClusterLock busy(CompletableFuture<LockHandle> requested) {
        return (ClusterLock) Proxy.newProxyInstance(
                ClusterLock.class.getClassLoader(),
                new Class<?>[] {ClusterLock.class},
                (proxy, method, arguments) -> method.getName().equals("name") ? lock.name() : requested);
    }

    private Job job(ClusterLock requested, OncePer window) {
        Job.Requests requests = limit -> wait -> wait == null ? requested.acquireAsync() : requested.acquireAsync(wait);
        return new Job(lock.name(), requests, window, shared);
    }

    private LockHandle begin() {
        CompletableFuture<LockHandle> begun = job.beginAsync(WAIT);
        answerLook(null);
        answerLook(null);
        servers.answer("Create ", Outcome.OK, entry(0, servers.written()));
        return begun.join();
    }

    private FakeHandle handle() {
        FakeHandle last = granted.get();
        assertThat(last).isNotNull();
        return last;
    }

    private void answerLook(WireSession.@Nullable Node entry) {
        servers.answer(TIME, Outcome.OK, entry(0, new byte[0]));
        servers.answer("read", entry == null ? Outcome.NO_NODE : Outcome.OK, entry);
    }

    private static WireSession.Node entry(int version, String data) {
        return entry(version, data.getBytes(StandardCharsets.UTF_8));
    }

    private static WireSession.Node entry(int version, byte[] data) {
        return RecordedSession.node(data, version, NOON.toEpochMilli());
    }
}
