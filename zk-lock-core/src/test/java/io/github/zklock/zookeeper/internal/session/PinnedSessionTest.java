package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.transport.IdealWire;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What a session makes of its answers. */
class PinnedSessionTest {

    private static final String PATH = "/locks";

    private final Queue<Runnable> answers = new ArrayDeque<>();
    private final ManualTime time = new ManualTime(Runnable::run);
    private final IdealWire wire = new IdealWire(answers::add);
    private final String seat = wire.createNow(PATH + "/seat-").path();
    private final PinnedSession session =
            new PinnedSession(new EngineRun(Runnable::run), wire, wire.ungrouped(), time, (source, outcome) -> {});

    @Test
    void anAnswerIsDatedByTheInstantAtWhichItsRequestWasSent() {
        long timeout = session.timeoutNanos();
        long delay = timeout / 48;
        session.check(List.of(seat), (outcome, missing) -> {});
        answerAfter(delay);

        long sentAt = time.nanoTime();
        session.sync(PATH, (outcome, none) -> {});
        answerAfter(delay);
        session.sync(PATH, (outcome, none) -> {});
        answerAfter(delay);
        for (int i = 0; i < 3; i++) {
            time.advance(timeout / 9);
            session.sync(PATH, (outcome, none) -> {});
            answerAfter(delay);
        }
        session.check(List.of(seat), (outcome, missing) -> {});
        answerAfter(delay);
        session.check(List.of(seat), (outcome, missing) -> {});
        answerAfter(delay);

        assertThat(session.proof().remainingNanos(time.nanoTime()))
                .isEqualTo(sentAt + timeout - timeout / 12 - time.nanoTime())
                .isPositive();
    }

    @Test
    void aRequestThatIsNeverAnsweredIsNoticedOnAConnectionThatIsThere() {
        session.sync(PATH, (outcome, none) -> {});
        long pause = session.timeoutNanos();

        assertThat(session.hasLostAnAnswer(pause)).isFalse();
        assertThat(session.hasLostAnAnswer(pause)).isFalse();
        assertThat(session.hasLostAnAnswer(pause)).isFalse();
        assertThat(session.hasLostAnAnswer(pause)).isFalse();
        assertThat(session.hasLostAnAnswer(pause)).isTrue();

        answerAfter(0);
        assertThat(session.hasLostAnAnswer(pause)).isFalse();
    }

    @Test
    void aServerThatGrantsMoreTimeMayBeSilentForLonger() {
        wire.grant(2 * session.timeoutNanos());
        session.sync(PATH, (outcome, none) -> {});

        assertThat(session.hasLostAnAnswer(8 * session.timeoutNanos())).isFalse();
        assertThat(session.hasLostAnAnswer(8 * session.timeoutNanos())).isTrue();
    }

    @Test
    void aRequestThatWasNotSentIsNoAnswerOfTheServers() {
        RecordedSession servers = new RecordedSession();
        List<Outcome> observed = new ArrayList<>();
        PinnedSession asking = new PinnedSession(
                new EngineRun(Runnable::run),
                servers,
                servers.ungrouped(),
                time,
                (source, outcome) -> observed.add(outcome));
        List<Outcome> answered = new ArrayList<>();

        for (Outcome outcome : List.of(Outcome.HELD_BACK, Outcome.NOT_SENT, Outcome.CONNECTION_LOST)) {
            asking.create(
                    RecordedSession.createSeat(PATH + "/a-"), (outcomeOfCreate, node) -> answered.add(outcomeOfCreate));
            servers.answer("CreateSeat", outcome, null);
        }

        assertThat(answered).containsExactly(Outcome.HELD_BACK, Outcome.NOT_SENT, Outcome.CONNECTION_LOST);
        // the observer concludes from any other outcome that the connection works
        assertThat(observed).containsExactly(Outcome.CONNECTION_LOST);
    }

    private void answerAfter(long delay) {
        time.advance(delay);
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            answer.run();
        }
    }
}
