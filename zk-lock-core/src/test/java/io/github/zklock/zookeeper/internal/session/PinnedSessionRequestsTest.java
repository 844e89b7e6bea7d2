package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.CapturedLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Liveness;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import io.github.zklock.zookeeper.internal.transport.WireSession.Transacted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a session sends, and for how long it proves locks. The test answers for the servers. */
class PinnedSessionRequestsTest {

    private static final String PATH = "/locks/a";
    private static final byte[] DATA = {1};

    private final ManualTime time = new ManualTime(Runnable::run);
    private final EngineRun run = new EngineRun(Runnable::run);
    private final RecordedSession servers = new RecordedSession();
    private final List<String> observed = new ArrayList<>();
    private final PinnedSession session = session();
    private final List<Outcome> answers = new ArrayList<>();

    @Test
    void eachRequestIsSentAndItsAnswerIsPassedOn() {
        Map<String, Consumer<PinnedSession>> requests = new LinkedHashMap<>();
        requests.put("makeFolder /locks/a", sent -> sent.makeFolder(PATH, noting()));
        requests.put("list /locks/a", sent -> sent.list(PATH, noting()));
        requests.put("exist [/locks/a]", sent -> sent.exist(List.of(PATH), noting()));
        requests.put("read /locks/a", sent -> sent.read(PATH, noting()));
        requests.put("readWatching /locks/a", sent -> sent.readWatching(PATH, event -> {}, noting()));
        requests.put("watchTree /locks/a", sent -> sent.watchTree(PATH, (event, path) -> {}, noting()));
        requests.put("Delete /locks/a", sent -> sent.delete(new Change.Delete(PATH), noting()));
        requests.put("Write /locks/a", sent -> sent.write(PATH, DATA, noting()));
        requests.put(
                "CreateEphemeral /locks/b, Delete /locks/a", sent -> sent.replace(PATH, "/locks/b", DATA, noting()));
        requests.put("Check /locks/a", sent -> sent.check(List.of(PATH), noting()));
        requests.put("sync /locks/a", sent -> sent.sync(PATH, noting()));
        requests.put("ephemerals /locks/a", sent -> sent.ephemerals(PATH, noting()));
        requests.put("Create /locks/a", sent -> sent.changeAtOnce(new Change.Create(PATH, DATA), noting()));
        requests.put("Write /locks/a version 3", sent -> sent.changeAtOnce(new Change.Write(PATH, DATA, 3), noting()));
        requests.put("Delete /locks/a version 3", sent -> sent.changeAtOnce(new Change.Delete(PATH, 3), noting()));

        requests.forEach((text, request) -> {
            session.together(() -> request.accept(session));

            assertThat(servers.sent()).containsExactly(text);
            servers.answer(text, Outcome.REFUSED, null);
            assertThat(answers).as(text).containsExactly(Outcome.REFUSED);
            answers.clear();
        });
    }

    @Test
    void committedListingsFollowACommitAndCountOnlyBehindIt() {
        session.listCommitted(PATH, noting());
        assertThat(servers.sent()).containsExactly("Check /locks/a", "list /locks/a");
        servers.answer("Check", Outcome.NO_NODE, Transacted.failed(0));
        servers.answer("list", Outcome.OK, List.of());
        assertThat(answers).containsExactly(Outcome.OK);

        session.ephemeralsCommitted(PATH, noting());
        assertThat(servers.sent()).containsExactly("Check /locks/a", "ephemerals /locks/a");
        servers.answer("Check", Outcome.CONNECTION_LOST, null);
        servers.answer("ephemerals", Outcome.OK, List.of());
        assertThat(answers).containsExactly(Outcome.OK, Outcome.UNKNOWN);
    }

    @Test
    void createdNodeIsReportedWithTheInstantAtWhichItWasRequested() {
        long sentAt = time.nanoTime();
        session.create(RecordedSession.createSeat(PATH), noting());
        time.advance(10);

        servers.created("CreateSeat", PATH + "0000000001");

        assertThat(observed).containsExactly("OK", "created /locks/a0000000001 sent at " + sentAt);
        assertThat(session.creates()).isEqualTo(1);
    }

    @Test
    void nodeThatIsCreatedAfterTheEndOfTheSessionIsNotReported() {
        session.create(RecordedSession.createSeat(PATH), noting());
        session.end();

        servers.created("CreateSeat", PATH + "0000000001");

        assertThat(session.hasEnded()).isTrue();
        assertThat(observed).containsExactly("OK");
        assertThat(answers).containsExactly(Outcome.OK);
    }

    @Test
    void requestThatTheClientRejectsIsAnsweredAndDoesNotCountAsUnanswered() {
        servers.refuseToSend("Check");
        try (CapturedLog log = new CapturedLog(PinnedSession.class)) {
            session.check(List.of(PATH), noting());

            log.await("WARN A request to ZooKeeper could not be sent");
        }

        assertThat(answers).containsExactly(Outcome.NOT_SENT);
        assertThat(observed).isEmpty();
        assertThat(session.hasLostAnAnswer(100 * session.timeoutNanos())).isFalse();
    }

    @Test
    void disconnectedClientHasLostNoAnswer() {
        session.sync(PATH, noting());
        servers.become(Liveness.DISCONNECTED);

        assertThat(session.hasLostAnAnswer(100 * session.timeoutNanos())).isFalse();
    }

    // how long locks are proven

    @Test
    void locksAreProvenForThePartOfTheTimeoutThatIsLeft() {
        PinnedSession proven = proven();
        long end = proven.proof().remainingNanos(time.nanoTime()) + time.nanoTime();

        assertThat(proven.isValid(end - 1)).isTrue();
        assertThat(proven.isValid(end)).isFalse();
        assertThat(proven.remainingNanos(end - 7)).isEqualTo(7);
        assertThat(proven.remainingNanos(end)).isZero();
    }

    @Test
    void locksAreNotProvenOnceTheClientKnowsThatTheSessionHasEnded() {
        PinnedSession proven = proven();
        servers.become(Liveness.DISCONNECTED);
        assertThat(proven.isValid(time.nanoTime())).isTrue();

        servers.become(Liveness.ENDED);

        assertThat(proven.isValid(time.nanoTime())).isFalse();
        assertThat(proven.remainingNanos(time.nanoTime())).isZero();
    }

    @Test
    void locksAreNotProvenAfterTheClientHasReplacedTheSession() {
        PinnedSession proven = proven();

        servers.replaceSession();

        assertThat(proven.isValid(time.nanoTime())).isFalse();
    }

    @Test
    void locksAreNotProvenAfterTheEngineWasReplaced() {
        PinnedSession proven = proven();

        run.end();

        assertThat(proven.isForsaken()).isTrue();
        assertThat(proven.isValid(time.nanoTime())).isFalse();
    }

    @Test
    void shorterTimeoutSuspendsTheLocksUntilTheProofIsUpdated() {
        // M27
        PinnedSession proven = proven();
        long now = time.nanoTime();
        long timeout = servers.timeoutNanos();
        servers.reconnect(now, timeout / 2);
        assertThat(proven.isValid(now)).isFalse();

        try (CapturedLog log = new CapturedLog(PinnedSession.class)) {
            proven.noticeConnection();

            log.await("WARN A server granted session abc a timeout of 10 s instead of 20 s");
        }
        assertThat(proven.isValid(now)).isTrue();
        assertThat(proven.timeoutNanos()).isEqualTo(timeout / 2);
        assertThat(proven.remainingNanos(now)).isEqualTo(timeout / 2 - timeout / 24);
    }

    // connections

    @Test
    void connectionHasMovedUntilEverythingIsRequestedAgain() {
        assertThat(session.hasMoved()).isFalse();
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());

        session.noticeConnection();
        assertThat(session.hasMoved()).isTrue();

        session.settle();
        assertThat(session.hasMoved()).isFalse();
    }

    @Test
    void sameConnectionWithTheSameTimeoutIsNoNews() {
        try (CapturedLog log = new CapturedLog(PinnedSession.class)) {
            session.noticeConnection();

            assertThat(log.lines()).isEmpty();
        }
        assertThat(session.hasMoved()).isFalse();
    }

    @Test
    void connectionThatIsLostAgainIsNotTheNextOne() {
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        servers.become(Liveness.DISCONNECTED);

        session.noticeConnection();

        assertThat(session.hasMoved()).isFalse();
    }

    @Test
    void afterALossTheProofBeginsAnewOnTheSameConnection() {
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        PinnedSession fresh = session();
        fresh.connectionBroken();
        assertThat(fresh.proof().nanosUntilWriteProves(time.nanoTime())).isEqualTo(servers.timeoutNanos() / 3);

        fresh.sync(PATH, noting());
        servers.answer("sync", Outcome.OK, null);

        // the connection is there again, but nothing was proven when it was made
        assertThat(fresh.isSuspect()).isTrue();
    }

    @Test
    void touchOfAConnectionIsNotProvenWhileTheClientIsDisconnected() {
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        PinnedSession fresh = session();
        assertThat(fresh.proof().nanosUntilWriteProves(time.nanoTime())).isZero();
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        servers.become(Liveness.DISCONNECTED);

        fresh.noticeConnection();

        assertThat(fresh.proof().nanosUntilWriteProves(time.nanoTime())).isEqualTo(servers.timeoutNanos() / 3);
    }

    @Test
    void shorterTimeoutCountsAlthoughItsConnectionWasNoticedBefore() {
        // M27
        PinnedSession proven = proven();
        long timeout = servers.timeoutNanos();
        servers.grant(timeout / 2);

        proven.noticeConnection();

        assertThat(proven.timeoutNanos()).isEqualTo(timeout / 2);
        assertThat(proven.hasMoved()).isFalse();
    }

    @Test
    void sameTimeoutOfTheNextConnectionIsNotWarnedOf() {
        try (CapturedLog log = new CapturedLog(PinnedSession.class)) {
            servers.reconnect(time.nanoTime(), servers.timeoutNanos());
            session.noticeConnection();
            servers.reconnect(time.nanoTime(), servers.timeoutNanos() / 2);
            session.noticeConnection();

            // lines are written in order
            log.await("WARN A server granted session abc a timeout of 10 s instead of 20 s");
            assertThat(log.lines()).hasSize(1);
        }
    }

    private PinnedSession session() {
        return new PinnedSession(run, servers, servers.ungrouped(), time, new PinnedSession.Observer() {
            @Override
            public void answered(PinnedSession source, Outcome outcome) {
                observed.add(outcome.toString());
            }

            @Override
            public void created(PinnedSession source, Node node, long sentAt) {
                observed.add("created " + node.path() + " sent at " + sentAt);
            }
        });
    }

    /** A session whose first write has committed. */
    private PinnedSession proven() {
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        PinnedSession proven = session();
        time.advance(10);
        proven.check(List.of(PATH), noting());
        servers.answer("Check", Outcome.OK, Transacted.created(List.of()));
        return proven;
    }

    private <T> Reply<T> noting() {
        return (outcome, value) -> answers.add(outcome);
    }
}
