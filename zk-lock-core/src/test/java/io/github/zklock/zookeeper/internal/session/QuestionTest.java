package io.github.zklock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.ManualTime;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.RecordedSession;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a request is sent again. The test answers for the servers. */
class QuestionTest {

    private static final String SYNC = "sync /locks";

    private final RecordedSession servers = new RecordedSession();
    private final ManualTime time = new ManualTime(Runnable::run);
    private final PinnedSession session = new PinnedSession(
            new EngineRun(Runnable::run), servers, servers.ungrouped(), time, (source, outcome) -> {});
    private final List<Outcome> answers = new ArrayList<>();
    private final Question<Void> question =
            session.<Void>ask(reply -> session.sync("/locks", reply), (outcome, none) -> answers.add(outcome));

    @Test
    void questionIsOverWithItsAnswer() {
        assertThat(question.isOver()).isFalse();

        answer(Outcome.OK);

        assertThat(question.isOver()).isTrue();
        assertThat(answers).containsExactly(Outcome.OK);
    }

    @Test
    void requestWithoutAnAnswerInTimeIsSentAgain() {
        answer(Outcome.UNKNOWN);
        assertThat(servers.sent()).as("after a pause").containsExactly(SYNC);

        time.advance(session.timeoutNanos());

        assertThat(servers.sent()).containsExactly(SYNC);
        answer(Outcome.NO_NODE);
        assertThat(answers).containsExactly(Outcome.NO_NODE);
    }

    @Test
    void requestOfALostConnectionIsSentAgainOnTheNextOne() {
        answer(Outcome.CONNECTION_LOST);
        servers.sent();
        time.advance(session.timeoutNanos());
        assertThat(servers.sent()).isEmpty();

        session.askAgain();

        assertThat(servers.sent()).containsExactly(SYNC);
        session.askAgain();
        assertThat(servers.sent()).as("once for each connection").isEmpty();
        assertThat(answers).isEmpty();
    }

    @Test
    void answerToAnEarlierAttemptDoesNotCount() {
        question.ask();

        answer(Outcome.OK);
        assertThat(answers).isEmpty();
        assertThat(question.isOver()).isFalse();

        answer(Outcome.NO_NODE);
        assertThat(answers).containsExactly(Outcome.NO_NODE);
    }

    @Test
    void droppedQuestionIsNeitherAnsweredNorAskedAgain() {
        answer(Outcome.CONNECTION_LOST);
        servers.sent();

        question.drop();

        assertThat(question.isOver()).isTrue();
        session.askAgain();
        assertThat(servers.sent()).isEmpty();
    }

    @Test
    void answerToADroppedQuestionDoesNotCount() {
        question.drop();

        answer(Outcome.OK);

        assertThat(answers).isEmpty();
    }

    @Test
    void endOfTheSessionDropsTheQuestion() {
        answer(Outcome.SESSION_ENDED);

        assertThat(question.isOver()).isTrue();
        assertThat(answers).isEmpty();
    }

    @Test
    void endedSessionSendsNothingAgain() {
        answer(Outcome.CONNECTION_LOST);
        servers.sent();
        session.end();

        session.askAgain();

        assertThat(servers.sent()).isEmpty();
    }

    private void answer(Outcome outcome) {
        servers.answer(SYNC, outcome, null);
    }
}
