package io.github.zklock.zookeeper.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.FencingToken;
import io.github.zklock.LockName;
import io.github.zklock.OncePer;
import io.github.zklock.zookeeper.internal.job.RunRecords.Seen;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.SessionQuestions;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records whose requests are answered as the test says. Each request is read from {@code BASE/.runs/BUCKET/JOB}. */
class RunRecordsTest {

    /** The write whose answer contains the time. */
    private static final String TIME = "Write /locks/.runs";

    private static final LockName JOB = LockName.of("/jobs/closing");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final FencingToken TOKEN = new FencingToken(42);
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");

    private static final WireSession.Node OLD = RecordedSession.node(
            bytes("{\"window\":3600000}"), 7, NOON.minus(Duration.ofDays(8)).toEpochMilli());

    private final Queue<Runnable> pauses = new ArrayDeque<>();
    private final RecordedSession servers = new RecordedSession();
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run),
            servers,
            servers.ungrouped(),
            new ManualTime(Runnable::run),
            (source, outcome) -> {});
    private final RunRecords records = new RunRecords(
            new SessionQuestions() {
                @Override
                public <T> CompletableFuture<T> send(BiConsumer<PinnedSession, BiConsumer<Outcome, T>> request) {
                    CompletableFuture<T> answer = new CompletableFuture<>();
                    request.accept(session, (outcome, value) -> answer.complete(value));
                    return answer;
                }
            },
            "/locks",
            "shop-1",
            pauses::add);

    @Test
    void lookAsksForTimeAndRecordInOneRoundTrip() {
        CompletableFuture<Seen> look = records.look(JOB, () -> true);

        List<String> sent = servers.sent();
        assertThat(sent).hasSize(2);
        assertThat(sent.get(0)).isEqualTo(TIME);
        assertThat(sent.get(1)).matches("read /locks/\\.runs/[0-9a-f]{2}/jobs_2Fclosing");
        answerLook(null);
        assertThat(look).isCompletedWithValue(new Seen(NOON, null));
    }

    @Test
    void firstLookCreatesTheFolder() {
        CompletableFuture<Seen> look = records.look(JOB, () -> true);
        servers.answer(TIME, Outcome.NO_NODE, null);
        servers.answer("read", Outcome.NO_NODE, null);
        servers.answer("makeFolder /locks/.runs", Outcome.OK, null);
        answerLook(null);

        assertThat(look.join().now()).isEqualTo(NOON);
    }

    @Test
    void lostLookIsRepeatedWhileItIsWanted() {
        CompletableFuture<Seen> look = records.look(JOB, () -> true);
        servers.answer(TIME, Outcome.OK, entry(0, new byte[0]));
        servers.answer("read", Outcome.CONNECTION_LOST, null);
        afterPause();
        answerLook(null);
        assertThat(look).isCompleted();

        CompletableFuture<Seen> unwanted = records.look(JOB, () -> false);
        servers.answer(TIME, Outcome.CONNECTION_LOST, null);
        servers.answer("read", Outcome.CONNECTION_LOST, null);
        assertThat(unwanted).isCompletedExceptionally();
    }

    @Test
    void beginReplacesTheVersionThatWasSeen() {
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, record(3, "{}"), () -> true);

        servers.answer("version 3", Outcome.OK, entry(4, servers.written()));

        RunRecord record = begun.join();
        assertThat(record).isNotNull();
        assertThat(record.begun()).isEqualTo(NOON);
        assertThat(record.instance()).isEqualTo("shop-1");
        assertThat(record.window()).isEqualTo(HOUR);
        assertThat(record.succeeded()).isNull();
        assertThat(record.lastRun().orElseThrow().token()).isEqualTo(TOKEN);
    }

    @Test
    void lostWriteThatWasExecutedCounts() {
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, record(3, "{}"), () -> true);
        servers.answer("version", Outcome.CONNECTION_LOST, null);
        afterPause();
        answerLook(entry(4, servers.written()));

        assertThat(begun.join()).isNotNull().extracting(RunRecord::version).isEqualTo(4);
    }

    @Test
    void lostWriteThatWasNotExecutedIsRepeated() {
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, record(3, "{}"), () -> true);
        servers.answer("version", Outcome.CONNECTION_LOST, null);
        afterPause();
        answerLook(entry(3, bytes("{}")));
        servers.answer("version 3", Outcome.OK, entry(4, servers.written()));

        assertThat(begun.join()).isNotNull();
    }

    @Test
    void lostWriteThatIsNotWantedAnyMoreIsFencedOff() {
        RunRecord before = record(3, "{\"instance\":\"shop-2\",\"token\":41,\"window\":3600000}");
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, before, () -> false);
        servers.answer("version", Outcome.CONNECTION_LOST, null);
        afterPause();
        answerLook(entry(3, bytes("{\"instance\":\"shop-2\",\"token\":41,\"window\":3600000}")));
        assertThat(begun).isNotDone();
        WireSession.Node fence = entry(4, servers.written());
        servers.answer("version 3", Outcome.OK, fence);

        assertThat(begun).isCompletedExceptionally();
        assertThat(new RunRecord(fence).instance()).isEqualTo("shop-2");
        assertThat(new RunRecord(fence).begun()).isEqualTo(before.begun());
    }

    @Test
    void unwantedWriteThatIsFasterThanItsFenceIsUndone() {
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, null, () -> false);
        byte[] unwanted = servers.written();
        servers.answer("Create ", Outcome.CONNECTION_LOST, null);
        afterPause();
        answerLook(null);
        servers.answer("Create ", Outcome.NODE_EXISTS, null);
        afterPause();
        answerLook(entry(0, unwanted));
        answerLook(entry(0, unwanted));
        assertThat(begun).isNotDone();
        WireSession.Node undone = entry(1, servers.written());
        servers.answer("version 0", Outcome.OK, undone);

        assertThat(begun).isCompletedExceptionally();
        assertThat(new RunRecord(undone).lastRun()).isEmpty();
    }

    @Test
    void lostCreateThatWasNotExecutedIsRepeated() {
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, null, () -> true);
        servers.answer("Create ", Outcome.CONNECTION_LOST, null);
        afterPause();
        answerLook(null);
        servers.answer("Create ", Outcome.OK, entry(0, servers.written()));

        assertThat(begun.join()).isNotNull();
    }

    @Test
    void recordOfAnotherRunIsNotReplaced() {
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, record(3, "{}"), () -> true);
        servers.answer("version", Outcome.REFUSED, null);
        afterPause();
        answerLook(entry(4, bytes("{\"instance\":\"shop-2\",\"token\":41,\"window\":3600000}")));

        assertThat(begun.join()).isNull();
    }

    @Test
    void recordThatWasRemovedMeanwhileIsCreated() {
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, record(3, "{}"), () -> true);
        servers.answer("version", Outcome.NO_NODE, null);
        servers.answer("makeFolder", Outcome.OK, null);
        servers.answer("Create ", Outcome.OK, entry(0, servers.written()));

        assertThat(begun.join()).isNotNull();
    }

    @Test
    void recordThatVanishedBehindALostWriteIsCreated() {
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, record(3, "{}"), () -> true);
        servers.answer("version", Outcome.CONNECTION_LOST, null);
        afterPause();
        answerLook(null);
        servers.answer("Create ", Outcome.OK, entry(0, servers.written()));

        assertThat(begun.join()).isNotNull();
    }

    @Test
    void writeThatServersRejectFails() {
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, record(3, "{}"), () -> true);
        servers.answer("version", Outcome.REFUSED, null);
        afterPause();
        answerLook(entry(3, bytes("{}")));

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(begun::join)
                .withRootCauseInstanceOf(IllegalStateException.class);

        CompletableFuture<@Nullable RunRecord> denied = records.begin(JOB, TOKEN, HOUR, record(3, "{}"), () -> true);
        servers.answer("version", Outcome.ACCESS_DENIED, null);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(denied::join)
                .withRootCauseInstanceOf(SecurityException.class);
    }

    @Test
    void successKeepsTheBeginOfTheRun() {
        RunRecord begun = new RunRecord(entry(4, RunRecord.begin("shop-1", TOKEN, HOUR, NOON.minusSeconds(7_200))));
        CompletableFuture<@Nullable RunRecord> recorded = records.succeed(JOB, begun);
        WireSession.Node later =
                RecordedSession.node(servers.written(), 5, NOON.plusSeconds(600).toEpochMilli());
        servers.answer("version 4", Outcome.OK, later);

        assertThat(begun.succeeded()).isEqualTo(NOON.minusSeconds(7_200));
        RunRecord success = recorded.join();
        assertThat(success).isNotNull();
        assertThat(success.succeeded()).isEqualTo(NOON);
        assertThat(success.begun()).isEqualTo(NOON);
    }

    @Test
    void undoRestoresTheRecordBefore() {
        RunRecord before = record(3, "{\"instance\":\"shop-2\",\"token\":41,\"window\":3600000}");
        RunRecord begun = record(4, "{}");

        CompletableFuture<?> undone = records.undo(JOB, begun, before);
        WireSession.Node later =
                RecordedSession.node(servers.written(), 5, NOON.plusSeconds(600).toEpochMilli());
        servers.answer("version 4", Outcome.OK, later);

        assertThat(undone).isCompleted();
        RunRecord restored = new RunRecord(later);
        assertThat(restored.begun()).isEqualTo(before.begun());
        assertThat(restored.instance()).isEqualTo("shop-2");
    }

    @Test
    void undoOfAFirstRunLeavesARecordWithoutARun() {
        CompletableFuture<?> undone = records.undo(JOB, record(0, "{\"instance\":\"shop-1\",\"token\":42}"), null);
        servers.answer("version", Outcome.CONNECTION_LOST, null);
        afterPause();
        answerLook(entry(0, bytes("{\"instance\":\"shop-1\",\"token\":42}")));
        WireSession.Node later = entry(1, servers.written());
        servers.answer("version 0", Outcome.OK, later);

        assertThat(undone).isCompleted();
        RunRecord left = new RunRecord(later);
        assertThat(left.lastRun()).isEmpty();
        assertThat(OncePer.of(HOUR).isOver(left.begun(), NOON)).isTrue();
        assertThat(left.succeeded()).isNull();
    }

    @Test
    void undoLeavesTheRecordOfAnotherRun() {
        CompletableFuture<?> undone = records.undo(JOB, record(0, "{}"), null);
        servers.answer("version", Outcome.CONNECTION_LOST, null);
        afterPause();
        servers.sent();
        answerLook(entry(0, bytes("{\"instance\":\"shop-2\",\"token\":41,\"window\":3600000}")));
        answerLook(entry(0, bytes("{\"instance\":\"shop-2\",\"token\":41,\"window\":3600000}")));

        assertThat(undone).isCompleted();
        assertThat(servers.sent()).noneMatch(request -> request.contains(" version "));
    }

    @Test
    void beginThatWasExecutedTwiceIsUndone() {
        byte[] begin = bytes("{\"instance\":\"shop-1\",\"token\":42}");
        CompletableFuture<?> undone = records.undo(JOB, record(0, "{\"instance\":\"shop-1\",\"token\":42}"), null);
        servers.answer("version 0", Outcome.REFUSED, null);
        afterPause();
        answerLook(entry(1, begin));
        answerLook(entry(1, begin));
        WireSession.Node later = entry(2, servers.written());
        servers.answer("version 1", Outcome.OK, later);

        assertThat(undone).isCompleted();
        assertThat(new RunRecord(later).lastRun()).isEmpty();
    }

    @Test
    void createdRecordRemovesSomeUnusedOnesWhileNoOtherProcessDoes() {
        clean();
        answerCleaning();
        servers.answer("CreateEphemeral", Outcome.OK, entry(0, bytes("")));
        servers.answer("/old", Outcome.OK, OLD);

        List<String> sent = servers.sent();
        assertThat(sent).noneMatch(request -> request.startsWith("read") && request.endsWith(".cleaning"));
        assertThat(sent)
                .filteredOn(request -> request.startsWith("Delete"))
                .singleElement()
                .asString()
                .endsWith("/old version 7");
        servers.answer("/old version 7", Outcome.OK, null);
        assertThat(servers.sent()).singleElement().asString().endsWith("/.cleaning version 0");
    }

    @Test
    void markStaysUntilTheEndOfTheSessionIfADeleteMayBeExecutedLate() {
        clean();
        answerCleaning();
        servers.answer("CreateEphemeral", Outcome.OK, entry(0, bytes("")));
        servers.answer("/old", Outcome.OK, OLD);
        servers.sent();
        servers.answer("/old version 7", Outcome.CONNECTION_LOST, null);

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void recordThatIsWrittenMeanwhileStays() {
        clean();
        answerCleaning();
        servers.answer("CreateEphemeral", Outcome.OK, entry(0, bytes("")));
        servers.sent();
        servers.answer("/old", Outcome.OK, entry(8, bytes("{\"window\":3600000}")));

        assertThat(servers.sent()).singleElement().asString().endsWith("/.cleaning version 0");
    }

    @Test
    void processDoesNotRemoveRecordsWhileAnotherOneDoes() {
        clean();
        answerCleaning();
        servers.sent();
        servers.answer("CreateEphemeral", Outcome.NODE_EXISTS, null);

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void cleaningWithoutUnusedRecordsWritesNothing() {
        clean();
        servers.answer("list ", Outcome.OK, List.of("fresh"));
        servers.sent();
        servers.answer("/fresh", Outcome.OK, entry(2, bytes("{\"window\":3600000}")));

        assertThat(servers.sent()).isEmpty();
    }

    private void clean() {
        create();
        servers.sent();
    }

    private void answerCleaning() {
        servers.answer("list ", Outcome.OK, List.of("old", "fresh", "yearly", ".cleaning"));
        servers.answer("/old", Outcome.OK, OLD);
        servers.answer("/fresh", Outcome.OK, entry(2, bytes("{\"window\":3600000}")));
        servers.answer(
                "/yearly", Outcome.OK, RecordedSession.node(bytes("{\"window\":31536000000}"), 1, OLD.writtenMillis()));
    }

    private void create() {
        CompletableFuture<@Nullable RunRecord> begun = records.begin(JOB, TOKEN, HOUR, null, () -> true);
        servers.answer("Create ", Outcome.OK, entry(0, servers.written()));
        assertThat(begun).isCompleted();
    }

    @Test
    void dataOfOtherClientsIsARunWithoutFields() {
        RunRecord foreign = record(9, "not json\n");

        assertThat(foreign.begun()).isEqualTo(NOON);
        assertThat(foreign.lastRun()).isEmpty();
        assertThat(foreign.instance()).isEmpty();
        assertThat(record(9, "{\"begun\":\"-1000000000-01-01T00:00:00Z\"}").begun())
                .isEqualTo(NOON);
        assertThat(record(9, "{\"instance\":\"a\\nb\",\"begun\":\"soon\",\"token\":1}")
                        .instance())
                .isEqualTo("a b");
    }

    private void afterPause() {
        assertThat(pauses).hasSize(1);
        pauses.remove().run();
    }

    private void answerLook(WireSession.@Nullable Node entry) {
        servers.answer(TIME, Outcome.OK, entry(0, new byte[0]));
        servers.answer("read", entry == null ? Outcome.NO_NODE : Outcome.OK, entry);
    }

    private static RunRecord record(int version, String data) {
        return new RunRecord(entry(version, bytes(data)));
    }

    private static WireSession.Node entry(int version, byte[] data) {
        return RecordedSession.node(data, version, NOON.toEpochMilli());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
