package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.FakeHandle;
import io.github.zklock.FakeLock;
import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.OncePer;
import io.github.zklock.zookeeper.internal.job.Job;
import io.github.zklock.zookeeper.internal.job.RunRecords;
import io.github.zklock.zookeeper.internal.joint.AllOf;
import io.github.zklock.zookeeper.internal.runtime.DirectSteps;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.SessionQuestions;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Steps outside of the loop, of which one point fails. Runs inside {@link ErrorPoints}. */
final class ErrorStepsScenario {

    private static final Duration SOON = Duration.ofSeconds(2);

    private final List<FakeHandle> granted = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final List<Late> asked = new ArrayList<>();

    private ErrorStepsScenario() {}

    /** What became of it, as {@link ErrorScenario#run} says. */
    static String run(String feature, long point) {
        ErrorStepsScenario scenario = new ErrorStepsScenario();
        ErrorPoint.plant(point, false);
        String wrong = switch (feature) {
            case "job" -> scenario.beginJob(Outcome.NO_NODE);
            case "job not due" -> scenario.beginJob(Outcome.OK);
            case "all of" -> scenario.acquireAll(false);
            default -> scenario.acquireAll(true);
        };
        if (wrong.isEmpty()) {
            return ErrorPoint.hasFailed() ? ErrorScenario.GOOD : ErrorScenario.DONE;
        }
        if (!ErrorPoint.hasFailed()) {
            throw new IllegalStateException("without any error: " + wrong);
        }
        return wrong;
    }

    /** @param record the outcome of the read of the record under the lock */
    private String beginJob(Outcome record) {
        RecordedSession servers = new RecordedSession();
        PinnedSession session = new PinnedSession(
                new EngineRun(Runnable::run),
                servers,
                servers.ungrouped(),
                new ManualTime(Runnable::run),
                (source, outcome) -> {});
        SessionQuestions questions = new SessionQuestions() {
            @Override
            public <T> CompletableFuture<T> send(BiConsumer<PinnedSession, BiConsumer<Outcome, T>> request) {
                CompletableFuture<T> answer = new CompletableFuture<>();
                request.accept(session, (outcome, value) -> answer.complete(value));
                return answer;
            }
        };
        Job.Shared shared = new Job.Shared(
                new RunRecords(questions, "/locks", "shop-1", pause -> {}),
                SOON,
                new DirectSteps(ErrorStepsScenario::guarded),
                ErrorStepsScenario::guarded,
                () -> 0,
                handle -> true);
        Job job = new Job(
                LockName.of("/job"),
                limit -> wait -> lock("/job").acquireAsync(),
                OncePer.of(Duration.ofHours(1)),
                shared);

        CompletableFuture<CompletableFuture<LockHandle>> begun = new CompletableFuture<>();
        enter(() -> begun.complete(job.beginAsync(null)));
        if (!begun.isDone()) {
            return "";
        }
        byte[] run = "{\"begun\":\"2026-03-02T12:00:00Z\",\"instance\":\"shop-2\"}".getBytes(StandardCharsets.UTF_8);
        answerLook(servers, Outcome.NO_NODE, run);
        enter(this::grantAll);
        answerLook(servers, record, run);
        enter(() -> servers.answer("Create ", Outcome.OK, RecordedSession.node(servers.written(), 0, 0)));
        return assertAnswered(begun.join());
    }

    private static void answerLook(RecordedSession servers, Outcome outcome, byte[] run) {
        long noon = 1_772_452_800_000L;
        enter(() -> servers.answer("Write /locks/.runs", Outcome.OK, RecordedSession.node(new byte[0], 0, noon)));
        enter(() -> servers.answer("read", outcome, outcome == Outcome.OK ? RecordedSession.node(run, 0, noon) : null));
    }

    private String acquireAll(boolean refused) {
        CompletableFuture<CompletableFuture<Handle>> begun = new CompletableFuture<>();
        enter(() -> begun.complete(AllOf.of(lock("/a"), lock("/b")).acquireAsync()));
        enter(this::grantAll);
        if (refused) {
            enter(() -> asked.forEach(open -> open.completeExceptionally(new IllegalStateException("refused"))));
        } else {
            enter(this::grantAll);
        }
        return begun.isDone() ? assertAnswered(begun.join()) : assertReleased();
    }

    private FakeLock lock(String name) {
        return new FakeLock(name, log).futures(() -> {
            Late answer = new Late();
            asked.add(answer);
            return answer;
        });
    }

    private void grantAll() {
        List.copyOf(asked).forEach(Late::arrive);
    }

    private String assertAnswered(CompletableFuture<? extends Handle> future) {
        if (!future.isDone()) {
            return "a future that is not completed";
        }
        if (!future.isCompletedExceptionally()) {
            future.join().close();
        }
        return assertReleased();
    }

    private String assertReleased() {
        return granted.stream().allMatch(handle -> handle.state().isFinal()) ? "" : "held by nobody";
    }

    /** As an executor that logs what a task throws. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable logged) {
            // as Threads does
        }
    }

    private static void enter(Runnable action) {
        guarded(() -> ErrorPoint.enter(action));
    }

    /** The answer to a request for a lock, which arrives when the test says so. */
    private final class Late extends CompletableFuture<LockHandle> {

        private @Nullable LockHandle handle;

        @Override
        public boolean complete(LockHandle value) {
            handle = value;
            return true;
        }

        void arrive() {
            FakeHandle arriving = (FakeHandle) handle;
            if (!isDone() && arriving != null) {
                granted.add(arriving);
                super.complete(arriving);
            }
        }
    }
}
