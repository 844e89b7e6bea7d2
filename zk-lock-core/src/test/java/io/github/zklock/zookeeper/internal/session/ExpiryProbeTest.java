package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.CapturedLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Transacted;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a suspect session becomes a trusted one. The test answers for the servers. (M26, M34) */
class ExpiryProbeTest {

    private static final String BASE = "/locks";
    private static final String REQUEST = "createExpiring";
    private static final String CHECK_OF_PROBE = "Check /locks/_session-abc-probe-";

    private final RecordedSession servers = new RecordedSession();
    private final ManualTime time = new ManualTime(Runnable::run);
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run), servers, servers.ungrouped(), time, (source, outcome) -> {});
    private final ExpiryProbe probe = new ExpiryProbe(session, time, BASE);

    @Test
    void sessionThatIsNotSuspectNeedsNoProbe() {
        probe.begin();
        probe.tick();

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void suspectSessionRequestsOneProbeWithAQuarterOfItsTimeout() {
        becomeSuspect();

        probe.begin();
        probe.begin();
        probe.tick();

        assertThat(servers.sent()).containsExactly(requestOf(servers.timeoutNanos() / 4));
    }

    @Test
    void sessionIsProvenByAWriteThatIsSentAfterTheProbeHasExpired() {
        becomeSuspect();
        probeIsCreated();

        probe.tick();
        probe.tick();
        assertThat(servers.sent()).as("one check at a time").hasSize(1).first().satisfies(ExpiryProbeTest::isCheck);
        servers.answer(CHECK_OF_PROBE, Outcome.OK, Transacted.created(List.of()));
        assertThat(session.isValid(time.nanoTime())).as("while the probe lives").isFalse();

        time.advance(servers.timeoutNanos() / 16 - 1);
        probe.tick();
        assertThat(servers.sent()).as("during the pause").isEmpty();
        time.advance(1);
        assertThat(servers.sent()).hasSize(1).first().satisfies(ExpiryProbeTest::isCheck);
        servers.answer(CHECK_OF_PROBE, Outcome.NO_NODE, Transacted.failed(0));
        assertThat(session.isValid(time.nanoTime())).as("before a write").isFalse();
        assertThat(servers.sent()).containsExactly("Check /locks");

        servers.answer("Check /locks", Outcome.OK, Transacted.created(List.of()));
        assertThat(session.isValid(time.nanoTime())).isTrue();
        assertThat(session.isSuspect()).isFalse();
        probe.tick();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void checkWithoutAnAnswerShowsNothing() {
        becomeSuspect();
        probeIsFound();

        servers.answer(CHECK_OF_PROBE, Outcome.UNKNOWN, null);
        // the session passes this outcome on after a pause
        time.advance(servers.timeoutNanos() / 64 + servers.timeoutNanos() / 16);

        assertThat(session.isSuspect()).isTrue();
        assertThat(servers.sent()).hasSize(1).first().satisfies(ExpiryProbeTest::isCheck);
    }

    @Test
    void probeThatTheSessionHasNeverFoundShowsNothing() {
        // if the application has changed the servers of its client, the probe may be a session of other servers
        becomeSuspect();
        probeIsCreated();
        servers.sent();

        servers.answer(CHECK_OF_PROBE, Outcome.NO_NODE, Transacted.failed(0));

        assertThat(session.isSuspect()).isTrue();
        assertThat(servers.sent()).as("before the tick").isEmpty();
        probe.tick();
        assertThat(servers.sent()).containsExactly(requestOf(servers.timeoutNanos() / 2));
    }

    @Test
    void sessionThatHasEndedIsNotCheckedAgain() {
        becomeSuspect();
        probeIsCreated();
        session.end();
        servers.sent();

        servers.answer(CHECK_OF_PROBE, Outcome.SESSION_ENDED, null);
        time.advance(servers.timeoutNanos());

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void probeThatMayExpireBeforeTheNextLapseIsReplacedAndShowsNothing() {
        becomeSuspect();
        probeIsFound();
        becomeSuspect();
        probe.begin();
        assertThat(servers.sent()).contains(requestOf(servers.timeoutNanos() / 4));

        servers.answer(CHECK_OF_PROBE, Outcome.NO_NODE, Transacted.failed(0));

        assertThat(servers.sent()).isEmpty();
        assertThat(session.isSuspect()).isTrue();
    }

    @Test
    void probeThatExpiresAfterTheNextLapseIsKept() {
        becomeSuspect();
        probe.begin();
        servers.answer(REQUEST, Outcome.OK, 2 * servers.timeoutNanos());
        servers.answer(CHECK_OF_PROBE, Outcome.OK, Transacted.created(List.of()));
        time.advance(servers.timeoutNanos() / 16);
        becomeSuspect();

        probe.tick();

        assertThat(servers.sent()).isEmpty();
        servers.answer(CHECK_OF_PROBE, Outcome.NO_NODE, Transacted.failed(0));
        assertThat(session.isSuspect()).isFalse();
    }

    @Test
    void probeThatIsUselessWhenItIsCreatedIsReplacedAtOnce() {
        becomeSuspect();
        probe.begin();
        becomeSuspect();
        probe.begin();
        assertThat(servers.sent()).as("one request at a time").isEmpty();

        servers.answer(REQUEST, Outcome.OK, servers.timeoutNanos() / 4);

        assertThat(servers.sent()).containsExactly(requestOf(servers.timeoutNanos() / 4));
    }

    @Test
    void lateAnswerToTheRequestOfAReplacedProbeIsIgnored() {
        becomeSuspect();
        probe.begin();
        time.advance(4 * servers.timeoutNanos() + 1);
        probe.tick();
        servers.sent();

        servers.answer(REQUEST, Outcome.OK, servers.timeoutNanos());
        probe.tick();

        assertThat(servers.sent()).as("the later probe is not known to exist").isEmpty();
    }

    @Test
    void probeThatWasNotCreatedIsRequestedAtTheNextTickWithALongerTimeout() {
        becomeSuspect();
        probe.begin();
        servers.sent();

        for (long timeout : List.of(servers.timeoutNanos() / 2, servers.timeoutNanos(), servers.timeoutNanos())) {
            servers.answer(REQUEST, Outcome.CONNECTION_LOST, null);
            probe.begin();
            assertThat(servers.sent()).as("before the tick").isEmpty();
            time.advance(servers.timeoutNanos() / 8);
            probe.tick();
            assertThat(servers.sent()).containsExactly(requestOf(timeout));
        }
        assertThat(session.liveness()).isEqualTo(servers.liveness());
        assertThat(session.isSuspect()).isTrue();
    }

    @Test
    void probeThatDoesNotExpireIsReplaced() {
        becomeSuspect();
        probeIsFound();
        servers.answer(CHECK_OF_PROBE, Outcome.OK, Transacted.created(List.of()));

        time.advance(4 * servers.timeoutNanos() - servers.timeoutNanos() / 16);
        assertThat(servers.sent()).hasSize(1).first().satisfies(ExpiryProbeTest::isCheck);
        time.advance(1);
        probe.tick();

        assertThat(servers.sent()).containsExactly(requestOf(servers.timeoutNanos() / 4));
    }

    @Test
    void clientWithoutTheRightToCreateTheNodeIsNamedOnce() {
        becomeSuspect();
        try (CapturedLog log = new CapturedLog(ExpiryProbe.class)) {
            for (int i = 0; i < 3; i++) {
                probe.tick();
                servers.answer(REQUEST, Outcome.ACCESS_DENIED, null);
            }

            log.await("WARN Locks of session abc stay suspended");
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("WARN"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("/locks/_session-abc-probe-", "grant this client create and read");
        }
    }

    /** The servers create the probe, and receive the first check. */
    private void probeIsCreated() {
        probe.begin();
        servers.sent();
        servers.answer(REQUEST, Outcome.OK, servers.timeoutNanos() / 4);
    }

    /** The session finds the probe, and checks it again. */
    private void probeIsFound() {
        probeIsCreated();
        servers.answer(CHECK_OF_PROBE, Outcome.OK, Transacted.created(List.of()));
        time.advance(servers.timeoutNanos() / 16);
        servers.sent();
    }

    /** The proof lapses while there is no connection; the leader answers on the next one. */
    private void becomeSuspect() {
        session.connectionBroken();
        time.advance(servers.timeoutNanos());
        servers.reconnect(time.nanoTime(), servers.timeoutNanos());
        session.sync(BASE, (outcome, none) -> {});
        servers.answer("sync", Outcome.OK, null);
        assertThat(session.isSuspect()).isTrue();
        servers.sent();
    }

    private String requestOf(long timeout) {
        return REQUEST + " /locks/_session-abc-probe-" + Long.toHexString(time.nanoTime()) + " " + timeout;
    }

    private static void isCheck(String request) {
        assertThat(request).startsWith(CHECK_OF_PROBE);
    }
}
