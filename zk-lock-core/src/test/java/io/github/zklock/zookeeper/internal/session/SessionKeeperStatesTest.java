package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession.Liveness;
import io.github.zklock.zookeeper.internal.transport.WireSession.Transacted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the keeper reports and sends when its session begins, breaks and ends. The test answers for the servers. */
class SessionKeeperStatesTest {

    private static final String SYNC = "sync /locks";
    private static final String PROBE = "read /locks";
    private static final String CHECK = "Check /locks/a";
    private static final long FIRST_PAUSE = 100_000_000L;
    private static final long LONGEST_PAUSE = 1_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    private final ManualTime time = new ManualTime(Runnable::run);
    private long wallLead;
    private final EngineRun run = new EngineRun(Runnable::run);
    private final RecordedSession servers = new RecordedSession();
    private final WireOfTest wire = new WireOfTest();
    private final List<String> told = new ArrayList<>();
    private final SessionKeeper keeper = new SessionKeeper(
            run, wire, new LeadingTime(), "/locks", new Backoff(FIRST_PAUSE, LONGEST_PAUSE), new Client());

    // seeking

    @Test
    void sessionIsReportedAndASyncIsSentForTheFirstGrant() {
        connect();

        assertThat(told).containsExactly("connected");
        assertThat(servers.sent()).containsExactly(SYNC);
        assertThat(keeper.connected()).isPresent().isEqualTo(keeper.session());
        assertThat(keeper.trouble()).isEmpty();
        assertThat(keeper.denial()).isEmpty();
    }

    @Test
    void keeperAsksAgainAfterPausesThatBecomeLonger() {
        keeper.start();
        wire.answer(new Wire.Pin.NotYet("no server answers"));
        assertThat(keeper.trouble()).isEqualTo("no server answers");
        assertThat(keeper.connected()).isEmpty();

        time.advance(FIRST_PAUSE - 1);
        assertThat(wire.pins).isEmpty();
        time.advance(1);
        wire.answer(new Wire.Pin.NotYet("no server answers"));

        time.advance(2 * FIRST_PAUSE - 1);
        assertThat(wire.pins).isEmpty();
        time.advance(1);
        wire.answer(new Wire.Pin.Pinned(servers));
        assertThat(told).containsExactly("connected");
        assertThat(keeper.trouble()).isEmpty();
    }

    @Test
    void keeperAsksForOneSessionAtATime() {
        keeper.start();

        wire.hint.run();

        assertThat(wire.pins).hasSize(1);
    }

    @Test
    void wireThatFailsIsAskedAgain() {
        wire.failure = new IllegalStateException("planted");
        keeper.start();
        assertThat(keeper.trouble()).contains("planted");

        wire.failure = null;
        time.advance(FIRST_PAUSE);

        assertThat(wire.pins).hasSize(1);
    }

    @Test
    void rejectionIsReportedUntilASessionIsFound() {
        keeper.start();
        wire.answer(new Wire.Pin.Denied("no such user", null));
        assertThat(told).containsExactly("denied no such user");
        assertThat(keeper.denial()).isPresent();

        time.advance(FIRST_PAUSE);
        wire.answer(new Wire.Pin.Pinned(servers));

        assertThat(keeper.denial()).isEmpty();
    }

    @Test
    void closedClientIsReportedAndNotAskedAgain() {
        keeper.start();
        wire.answer(new Wire.Pin.Closed());

        assertThat(told).containsExactly("denied the client of its registry was closed", "client closed");
        assertThat(keeper.isClosed()).isTrue();
        time.advance(LONGEST_PAUSE);
        assertThat(wire.pins).isEmpty();
    }

    @Test
    void sessionThatHasEndedBeforeItWasFoundIsNotUsed() {
        servers.become(Liveness.ENDED);
        connect();
        assertThat(keeper.session()).isEmpty();
        assertThat(told).isEmpty();

        time.advance(FIRST_PAUSE);

        assertThat(wire.pins).hasSize(1);
    }

    // the end of a session

    @Test
    void endedSessionIsReportedAndAnotherOneIsSought() {
        connect();
        PinnedSession session = keeper.session().orElseThrow();
        told.clear();
        servers.become(Liveness.ENDED);

        wire.hint.run();

        assertThat(told).containsExactly("disconnected", "ended: its session ended");
        assertThat(session.hasEnded()).isTrue();
        assertThat(keeper.session()).isEmpty();
        assertThat(keeper.connected()).isEmpty();
        assertThat(wire.pins).hasSize(1);
    }

    @Test
    void answerThatTheSessionHasEndedEndsIt() {
        connect();
        told.clear();

        servers.answer(SYNC, Outcome.SESSION_ENDED, null);

        assertThat(told).containsExactly("disconnected", "ended: its session ended");
    }

    @Test
    void sessionThatTheClientHasReplacedEndsWithTheNextAnswer() {
        // M33
        connect();
        told.clear();
        servers.replaceSession();

        servers.answer(SYNC, Outcome.OK, null);

        assertThat(told).containsExactly("disconnected", "ended: its session ended");
    }

    @Test
    void answersOfAnEndedSessionAreIgnored() {
        connect();
        keeper.session().orElseThrow().read("/locks", (outcome, node) -> {});
        servers.answer(SYNC, Outcome.SESSION_ENDED, null);
        told.clear();

        servers.answer(PROBE, Outcome.CONNECTION_LOST, null);

        assertThat(told).isEmpty();
    }

    @Test
    void clientThatTheServersRejectLaterLosesItsSession() {
        connect();
        told.clear();
        servers.become(Liveness.DENIED);

        wire.hint.run();

        assertThat(told)
                .containsExactly(
                        "denied the servers reject the authentication of this client",
                        "disconnected",
                        "ended: the servers reject the authentication of this client");
        assertThat(keeper.denial()).isPresent();
    }

    @Test
    void closedKeeperEndsItsSessionAndDoesNothingElse() {
        connect();
        told.clear();
        servers.sent();

        keeper.close();

        assertThat(told).containsExactly("disconnected", "ended: its client was closed");
        assertThat(keeper.isClosed()).isTrue();
        time.advance(10 * SECOND);
        wire.hint.run();
        assertThat(told).hasSize(2);
        assertThat(wire.pins).isEmpty();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void sessionThatIsFoundAfterTheCloseIsNotUsed() {
        keeper.start();
        keeper.close();

        wire.answer(new Wire.Pin.Pinned(servers));

        assertThat(told).isEmpty();
        assertThat(keeper.session()).isEmpty();
    }

    // connections

    @Test
    void lostRequestBreaksTheConnectionUntilAProbeIsAnswered() {
        connect();
        told.clear();

        servers.answer(SYNC, Outcome.CONNECTION_LOST, null);
        assertThat(told).containsExactly("disconnected");
        assertThat(keeper.connected()).isEmpty();
        assertThat(keeper.session()).isPresent();
        servers.sent();

        time.advance(FIRST_PAUSE);
        assertThat(servers.sent()).containsExactly(PROBE);
        servers.answer(PROBE, Outcome.OK, null);

        assertThat(told).containsExactly("disconnected", "connected", "proof advanced");
        assertThat(keeper.connected()).isPresent();
    }

    @Test
    void probeWithoutAnAnswerInTimeIsSentAgain() {
        connect();
        servers.answer(SYNC, Outcome.CONNECTION_LOST, null);
        time.advance(FIRST_PAUSE);
        servers.sent();

        servers.answer(PROBE, Outcome.UNKNOWN, null);
        // the session passes this outcome on after a pause
        time.advance(servers.timeoutNanos() / 64 + 2 * FIRST_PAUSE);

        assertThat(servers.sent()).containsExactly(PROBE);
    }

    @Test
    void clientWithoutAConnectionBreaksItOnce() {
        connect();
        told.clear();
        servers.become(Liveness.DISCONNECTED);

        wire.hint.run();
        wire.hint.run();

        assertThat(told).containsExactly("disconnected");
        assertThat(keeper.connected()).isEmpty();
    }

    @Test
    void questionsOfALostConnectionAreAskedOnTheNextOne() {
        connect();
        PinnedSession session = keeper.session().orElseThrow();
        session.<Boolean>ask(
                reply -> session.exist(List.of("/locks/x"), (outcome, exist) -> reply.answered(outcome, exist != null)),
                (outcome, exists) -> told.add("answered"));
        servers.answer("exist", Outcome.CONNECTION_LOST, null);
        servers.sent();

        servers.answer(SYNC, Outcome.OK, null);

        assertThat(servers.sent()).contains("exist [/locks/x]");
    }

    @Test
    void connectionThatWasReplacedWithoutAHintIsNoticedByTheNextAnswer() {
        connect();
        told.clear();
        servers.reconnect(0, servers.timeoutNanos());

        servers.answer(SYNC, Outcome.OK, null);

        assertThat(told).containsExactly("disconnected", "connected", "proof advanced");
        assertThat(keeper.connected()).isPresent();
        keeper.session().orElseThrow().read("/locks", (outcome, node) -> {});
        servers.answer(PROBE, Outcome.OK, null);
        assertThat(told).as("once for each connection").hasSize(4).endsWith("proof advanced");
    }

    @Test
    void touchOfALostConnectionProvesNothing() {
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        connect();
        SessionProof proof = keeper.session().orElseThrow().proof();
        assertThat(proof.nanosUntilWriteProves(time.nanoTime())).isZero();

        servers.answer(SYNC, Outcome.CONNECTION_LOST, null);

        assertThat(proof.nanosUntilWriteProves(time.nanoTime())).isEqualTo(servers.timeoutNanos() / 3);
    }

    @Test
    void connectionThatWasReplacedIsNoticedByAHint() {
        connect();
        told.clear();
        servers.sent();
        servers.reconnect(0, servers.timeoutNanos());

        wire.hint.run();

        assertThat(told).containsExactly("disconnected");
        assertThat(servers.sent()).containsExactly(PROBE);
    }

    @Test
    void answerThatIsUnknownProvesNothing() {
        connect();
        told.clear();

        servers.answer(SYNC, Outcome.UNKNOWN, null);

        assertThat(told).isEmpty();
    }

    // ticks and renewals

    @Test
    void withoutASessionTheKeeperTicksEachSecond() {
        keeper.start();
        assertThat(keeper.tickPause()).isEqualTo(SECOND);

        time.advance(SECOND - 1);
        assertThat(told).isEmpty();
        time.advance(1);
        assertThat(told).containsExactly("tick");
        time.advance(SECOND);
        assertThat(told).containsExactly("tick", "tick");
    }

    @Test
    void keeperTicksEightTimesInASessionTimeout() {
        connect();
        assertThat(keeper.tickPause()).isEqualTo(servers.timeoutNanos() / 8);
        told.clear();

        time.advance(servers.timeoutNanos() - 1);
        assertThat(told).hasSize(7).containsOnly("tick");
        time.advance(1);
        assertThat(told).hasSize(8);
    }

    @Test
    void shorterTimeoutOfTheNextConnectionMakesTheTicksMoreFrequent() {
        connect();
        servers.reconnect(0, servers.timeoutNanos() / 2);

        wire.hint.run();

        assertThat(keeper.tickPause()).isEqualTo(servers.timeoutNanos() / 8);
    }

    @Test
    void hintsDoNotPostponeTheTick() {
        connect();
        told.clear();

        time.advance(keeper.tickPause() - 1);
        wire.hint.run();
        time.advance(1);

        assertThat(told).containsExactly("tick");
    }

    @Test
    void tickShowsThatTheEngineRuns() {
        keeper.start();
        assertThat(run.hasMissedTicks(1)).isFalse();
        assertThat(run.hasMissedTicks(1)).isTrue();

        time.advance(SECOND);

        assertThat(run.hasMissedTicks(1)).isFalse();
    }

    @Test
    void suspensionThatATickNoticesShortensTheProofOnce() {
        // M19
        PinnedSession session = proven();
        long remaining = session.remainingNanos(time.nanoTime());
        long pause = keeper.tickPause();
        long suspended = servers.timeoutNanos() / 4;
        wallLead += suspended;

        time.advance(pause);
        assertThat(session.remainingNanos(time.nanoTime())).isEqualTo(remaining - suspended - pause);

        time.advance(pause);
        assertThat(session.remainingNanos(time.nanoTime())).isEqualTo(remaining - suspended - 2 * pause);
    }

    @Test
    void suspensionBeforeTheSessionWasFoundDoesNotShortenItsProof() {
        keeper.start();
        wallLead += servers.timeoutNanos() / 4;
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        wire.answer(new Wire.Pin.Pinned(servers));
        PinnedSession session = prove();
        long remaining = session.remainingNanos(time.nanoTime());
        long pause = keeper.tickPause();

        time.advance(pause);

        assertThat(session.remainingNanos(time.nanoTime())).isEqualTo(remaining - pause);
    }

    @Test
    void tickOfASessionWithoutSeatsSendsASync() {
        connect();
        servers.sent();

        time.advance(keeper.tickPause());

        assertThat(servers.sent()).containsExactly(SYNC);
    }

    @Test
    void tickOfASessionWithSeatsChecksThem() {
        connect();
        keeper.session().orElseThrow().add(new Seat());
        servers.sent();

        time.advance(keeper.tickPause());

        assertThat(servers.sent()).containsExactly(CHECK);
    }

    @Test
    void tickNoticesWhatNoHintHasReported() {
        connect();
        told.clear();
        servers.become(Liveness.ENDED);

        time.advance(keeper.tickPause());

        assertThat(told).containsExactly("disconnected", "ended: its session ended", "tick");
    }

    @Test
    void tickOfABrokenConnectionChecksNoSeats() {
        connect();
        keeper.session().orElseThrow().add(new Seat());
        servers.become(Liveness.DISCONNECTED);
        servers.sent();

        time.advance(keeper.tickPause());

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void wantedProofIsRequestedOnceWhenAWriteCanProveTheSession() {
        connect();
        PinnedSession session = keeper.session().orElseThrow();
        session.add(new Seat());
        servers.sent();
        long pause = session.proof().nanosUntilWriteProves(time.nanoTime());
        assertThat(pause).isPositive();

        keeper.wantProof();
        keeper.wantProof();
        // more than a tick: what the ticks send is answered
        for (long left = pause; left > 0; left -= Math.min(left, keeper.tickPause())) {
            time.advance(Math.min(left, keeper.tickPause()) - (left <= keeper.tickPause() ? 1 : 0));
        }
        servers.answer(CHECK, Outcome.OK, Transacted.created(List.of()));
        servers.sent();
        time.advance(1);

        assertThat(servers.sent()).containsExactly(CHECK);
    }

    @Test
    void probeIsRequestedWithTheAnswerThatMakesTheSessionSuspectAndCheckedAtEachTick() {
        // M34
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        connect();
        servers.answer(SYNC, Outcome.CONNECTION_LOST, null);
        time.advance(servers.timeoutNanos());
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        wire.hint.run();
        servers.answer(PROBE, Outcome.OK, null);
        servers.sent();

        time.advance(keeper.tickPause());
        servers.answer(SYNC, Outcome.OK, null);
        assertThat(servers.sent()).anyMatch(request -> request.startsWith("createExpiring /locks/_session-"));

        servers.answer("createExpiring", Outcome.OK, servers.timeoutNanos());
        time.advance(keeper.tickPause());
        assertThat(servers.sent()).anyMatch(request -> request.startsWith("Check /locks/_session-"));
        assertThat(told)
                .as("what becomes of the probe is not what becomes of the session")
                .endsWith("tick");
    }

    @Test
    void proofIsNotRequestedWithoutAConnection() {
        connect();
        keeper.session().orElseThrow().add(new Seat());
        servers.answer(SYNC, Outcome.CONNECTION_LOST, null);
        servers.become(Liveness.DISCONNECTED);
        servers.sent();

        keeper.wantProof();
        time.advance(servers.timeoutNanos());

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void renewalsAreCountedOverAllSessions() {
        assertThat(keeper.renewals()).isZero();
        proven();
        assertThat(keeper.renewals()).isEqualTo(1);

        servers.answer(SYNC, Outcome.SESSION_ENDED, null);

        assertThat(keeper.session()).isEmpty();
        assertThat(keeper.renewals()).isEqualTo(1);
    }

    private PinnedSession proven() {
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        connect();
        return prove();
    }

    /** Proves the session by a first write. */
    private PinnedSession prove() {
        PinnedSession session = keeper.session().orElseThrow();
        session.check(List.of("/locks/a"), (outcome, missing) -> {});
        servers.answer(CHECK, Outcome.OK, Transacted.created(List.of()));
        assertThat(session.isValid(time.nanoTime())).isTrue();
        return session;
    }

    private void connect() {
        assertThat(keeper.isClosed()).isFalse();
        keeper.start();
        wire.answer(new Wire.Pin.Pinned(servers));
    }

    /** A wall clock that the test sets forward. */
    private final class LeadingTime implements Time {

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public long wallNanos() {
            return time.wallNanos() + wallLead;
        }

        @Override
        public Alarm after(long delayNanos, Runnable action) {
            return time.after(delayNanos, action);
        }
    }

    private static final class WireOfTest implements Wire {

        private final List<Consumer<Pin>> pins = new ArrayList<>();
        private Runnable hint = () -> {};
        private @Nullable RuntimeException failure;

        void answer(Pin pin) {
            pins.remove(0).accept(pin);
        }

        @Override
        public void pin(Consumer<Pin> answer) {
            if (failure != null) {
                throw failure;
            }
            pins.add(answer);
        }

        @Override
        public void onHint(Runnable action) {
            hint = action;
        }

        @Override
        public void leave() {}

        @Override
        public void close() {}
    }

    private final class Client implements SessionKeeper.Client {

        @Override
        public void connected(PinnedSession session) {
            told.add("connected");
        }

        @Override
        public void disconnected() {
            told.add("disconnected");
        }

        @Override
        public void ended(PinnedSession session, String reason) {
            told.add("ended: " + reason);
        }

        @Override
        public void proofAdvanced() {
            told.add("proof advanced");
        }

        @Override
        public void denied(Refusal refusal) {
            told.add("denied " + refusal.message());
        }

        @Override
        public void clientClosed() {
            told.add("client closed");
        }

        @Override
        public void tick() {
            told.add("tick");
        }
    }

    private static final class Seat implements SessionNode {

        @Override
        public String id() {
            return "a";
        }

        @Override
        public String path() {
            return "/locks/a";
        }

        @Override
        public void vanished() {
            throw new AssertionError("The node exists");
        }

        @Override
        public void sessionEnded(String reason) {}
    }
}
