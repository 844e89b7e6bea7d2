package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What a session makes of its answers. */
class PinnedSessionTest {

    private static final String PATH = "/locks";

    private final Queue<Runnable> answers = new ArrayDeque<>();
    private final ManualTime time = new ManualTime(Runnable::run);
    private final MemoryWire wire = new MemoryWire(answers::add);
    private final String seat = wire.createNow(PATH + "/seat-").path();
    private final PinnedSession tenure =
            new PinnedSession(new EngineRun(Runnable::run), wire, time, (source, outcome) -> {});

    @Test
    void anAnswerIsDatedByTheInstantAtWhichItsRequestWasSent() {
        long timeout = tenure.timeoutNanos();
        long delay = timeout / 48;
        tenure.check(List.of(seat), (outcome, missing) -> {});
        answerAfter(delay);

        long sentAt = time.nanoTime();
        tenure.sync(PATH, (outcome, none) -> {});
        answerAfter(delay);
        tenure.sync(PATH, (outcome, none) -> {});
        answerAfter(delay);
        for (int i = 0; i < 3; i++) {
            time.advance(timeout / 9);
            tenure.sync(PATH, (outcome, none) -> {});
            answerAfter(delay);
        }
        tenure.check(List.of(seat), (outcome, missing) -> {});
        answerAfter(delay);
        tenure.check(List.of(seat), (outcome, missing) -> {});
        answerAfter(delay);

        assertThat(tenure.proof().remainingNanos(time.nanoTime()))
                .isEqualTo(sentAt + timeout - timeout / 12 - time.nanoTime())
                .isPositive();
    }

    @Test
    void aRequestThatIsNeverAnsweredIsNoticedOnAConnectionThatIsThere() {
        tenure.sync(PATH, (outcome, none) -> {});
        long pause = tenure.timeoutNanos();

        assertThat(tenure.hasLostAnAnswer(pause)).isFalse();
        assertThat(tenure.hasLostAnAnswer(pause)).isFalse();
        assertThat(tenure.hasLostAnAnswer(pause)).isFalse();
        assertThat(tenure.hasLostAnAnswer(pause)).isFalse();
        assertThat(tenure.hasLostAnAnswer(pause)).isTrue();

        answerAfter(0);
        assertThat(tenure.hasLostAnAnswer(pause)).isFalse();
    }

    private void answerAfter(long delay) {
        time.advance(delay);
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            answer.run();
        }
    }
}
