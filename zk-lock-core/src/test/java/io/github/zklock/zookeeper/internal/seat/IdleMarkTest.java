package io.github.zklock.zookeeper.internal.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.runtime.CapturedLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When the mark of an idle seat is written. The test answers for the servers. */
class IdleMarkTest {

    private static final String NODE = "/locks/stats/seat";
    private static final String WRITE = "Write " + NODE;

    private final RecordedSession servers = new RecordedSession();
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run),
            servers,
            servers.ungrouped(),
            new ManualTime(Runnable::run),
            (source, outcome) -> {});
    private final IdleMark mark = new IdleMark(
            session,
            NODE,
            new Label(new OwnerDescription("instance", "host", 1), "waiter", Instant.EPOCH),
            Demand.EXCLUSIVE);

    @Test
    void sameMarkIsWrittenOnce() {
        mark.mark(true);
        servers.answer(WRITE, Outcome.OK, null);
        mark.mark(true);

        assertThat(servers.sent()).containsExactly(WRITE);
        assertThat(mark.isIdle()).isTrue();
    }

    @Test
    void nodeIsNotWrittenUntilItIsMarked() {
        mark.mark(false);

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void markThatChangesDuringAWriteIsWrittenBehindIt() {
        mark.mark(true);
        mark.mark(false);
        assertThat(servers.sent()).containsExactly(WRITE);

        servers.answer(WRITE, Outcome.OK, null);

        assertThat(servers.sent()).containsExactly(WRITE);
        assertThat(mark.isIdle()).isFalse();
    }

    @Test
    void markThatChangesTwiceDuringAWriteIsNotWrittenAgain() {
        mark.mark(true);
        mark.mark(false);
        mark.mark(true);
        servers.sent();

        servers.answer(WRITE, Outcome.OK, null);

        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void writeThatIsRejectedIsReportedAndDoesNotStopTheNext() {
        mark.mark(true);
        mark.mark(false);
        servers.sent();

        try (CapturedLog log = new CapturedLog(IdleMark.class)) {
            servers.answer(WRITE, Outcome.ACCESS_DENIED, null);

            log.await("WARN Node " + NODE + " cannot be written (ACCESS_DENIED)");
        }
        assertThat(servers.sent()).containsExactly(WRITE);
    }

    @Test
    void nothingIsWrittenAfterTheEnd() {
        mark.mark(true);
        mark.mark(false);
        servers.sent();

        mark.end();
        servers.answer(WRITE, Outcome.OK, null);

        assertThat(servers.sent()).isEmpty();
    }
}
