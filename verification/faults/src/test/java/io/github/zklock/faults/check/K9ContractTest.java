package io.github.zklock.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class K9ContractTest {

    private final TimelineBuilder events = new TimelineBuilder();

    @Test
    void answersAtTheirTimeAreFine() {
        events.asked("a", 0, "acquire-1000 exclusive").answered("a", 1010, Kind.TIMEOUT);
        events.asked("b", 0, "try-1000 exclusive").answered("b", 1010, Kind.EMPTY);
        events.event("ensemble", 500, Kind.CUT).asked("c", 0, "try-1000 exclusive");
        events.answered("c", 1010, Kind.UNAVAILABLE);

        assertThat(violations()).isEmpty();
    }

    @Test
    void unavailableInAQuietPeriodIsFound() {
        events.event("ensemble", 0, Kind.CUT).event("ensemble", 100, Kind.HEALED);
        events.asked("a", 9000, "try-1000 exclusive").answered("a", 10_000, Kind.UNAVAILABLE);
        events.asked("b", 9000, "try-1000 exclusive");
        events.answered("b", 9010, Kind.UNAVAILABLE, "message", "its sequence is used up");
        events.asked("c", 1000, "try-1000 exclusive").answered("c", 2000, Kind.UNAVAILABLE);
        events.asked("d", 9000, "acquire-40 exclusive").answered("d", 9060, Kind.UNAVAILABLE);

        assertThat(violations()).singleElement().asString().contains("a's call", "in a quiet period");
    }

    @Test
    void anAnswerThatComesTooLateIsFound() {
        events.asked("a", 0, "acquire-1000 exclusive").answered("a", 1600, Kind.TIMEOUT);

        assertThat(violations()).singleElement().asString().contains("a's call of acquire-1000", "1600 ms");
    }

    @Test
    void aGrantThatComesTooLateIsFound() {
        events.asked("a", 0, "try-1000 exclusive").granted("a", 5000, 1);

        assertThat(violations()).singleElement().asString().contains("GRANTED after 5000 ms");
    }

    @Test
    void timeInWhichTheProcessWasStoppedDoesNotCount() {
        events.event("a", 0, Kind.READY).asked("a", 1, "acquire-1000 exclusive");
        events.event("a", 500, Kind.PAUSED).event("a", 9500, Kind.RESUMED).answered("a", 9600, Kind.TIMEOUT);

        assertThat(violations()).isEmpty();
    }

    @Test
    void givingUpTooEarlyIsFound() {
        events.asked("a", 0, "acquire-1000 exclusive").answered("a", 900, Kind.TIMEOUT);

        assertThat(violations()).singleElement().asString().contains("too early, after 900 ms");
    }

    @Test
    void anAnswerOfTheWrongKindIsFound() {
        events.asked("a", 0, "acquire-1000 exclusive").answered("a", 1000, Kind.EMPTY);
        events.asked("b", 0, "forever exclusive").answered("b", 1000, Kind.TIMEOUT);
        events.asked("c", 0, "try-1000 exclusive").answered("c", 1000, Kind.TIMEOUT);

        assertThat(violations()).hasSize(3);
    }

    @Test
    void thrownInterruptClearsTheFlag() {
        events.asked("a", 0, "forever exclusive").answered("a", 10, Kind.INTERRUPTED, "flag", false);
        events.asked("b", 0, "forever exclusive").answered("b", 10, Kind.INTERRUPTED, "flag", true);
        events.event("a", 11, Kind.INTERRUPTING).event("b", 11, Kind.INTERRUPTING);

        assertThat(violations()).singleElement().asString().contains("b's call", "left the thread interrupted");
    }

    @Test
    void anInterruptThatWasMadeLongAfterItWasThrownIsFound() {
        events.asked("a", 0, "forever exclusive").answered("a", 10, Kind.INTERRUPTED, "flag", false);
        events.event("a", 20_000, Kind.INTERRUPTING);

        assertThat(violations()).singleElement().asString().contains("was answered with INTERRUPTED");
    }

    @Test
    void anInterruptThatNobodyMadeIsFound() {
        events.event("a", 0, Kind.INTERRUPTING).asked("a", 1, "forever exclusive");
        events.answered("a", 10, Kind.INTERRUPTED, "flag", false);

        assertThat(violations()).singleElement().asString().contains("was answered with INTERRUPTED");
    }

    @Test
    void anInterruptThatEndsAWaitAtOnceIsFine() {
        events.asked("a", 0, "try-5000 exclusive").event("a", 100, Kind.INTERRUPTING, "callNumbers", "1");
        events.answered("a", 150, Kind.INTERRUPTED, "flag", false);

        assertThat(violations()).isEmpty();
    }

    @Test
    void anInterruptThatEndsAWaitLateIsFound() {
        events.asked("a", 0, "try-5000 exclusive").event("a", 100, Kind.INTERRUPTING, "callNumbers", "1");
        events.answered("a", 3000, Kind.INTERRUPTED, "flag", false);

        assertThat(violations()).singleElement().asString().contains("2900 ms after its interrupt");
    }

    @Test
    void anInterruptThatAWaitSwallowsIsFound() {
        events.asked("a", 0, "try-200 exclusive").event("a", 100, Kind.INTERRUPTING, "callNumbers", "3,1");
        events.answered("a", 210, Kind.EMPTY, "flag", false);
        events.asked("b", 0, "try-200 exclusive").event("b", 100, Kind.INTERRUPTING, "callNumbers", "1");
        events.answered("b", 210, Kind.EMPTY, "flag", true);

        assertThat(violations()).singleElement().asString().contains("a's call", "its interrupt is lost");
    }

    @Test
    void interruptOfAnotherThreadIsIgnored() {
        events.asked("a", 0, "try-2000 exclusive").event("a", 100, Kind.INTERRUPTING, "callNumbers", "2,11");
        events.answered("a", 2010, Kind.EMPTY, "flag", false);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aRefusalByWhatIsNotClosedIsFound() {
        events.asked("a", 0, "forever exclusive").answered("a", 10, Kind.REFUSED);

        assertThat(violations()).singleElement().asString().contains("was answered with REFUSED");
    }

    @Test
    void aRefusalByWhatIsClosedIsFine() {
        events.asked("a", 0, "forever exclusive")
                .answered("a", 10, Kind.REFUSED)
                .event("a", 11, Kind.REGISTRY_CLOSED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aRefusalLongBeforeTheCloseIsFound() {
        events.asked("a", 0, "forever exclusive").answered("a", 10, Kind.REFUSED);
        events.event("a", 20_000, Kind.REGISTRY_CLOSED);

        assertThat(violations()).singleElement().asString().contains("was answered with REFUSED");
    }

    @Test
    void aRefusalByWhatWasOpenedAgainIsFound() {
        events.event("a", 0, Kind.REGISTRY_CLOSED).event("a", 10, Kind.READY).asked("a", 20, "forever exclusive");
        events.answered("a", 30, Kind.REFUSED);

        assertThat(violations()).singleElement().asString().contains("was answered with REFUSED");
    }

    @Test
    void aRefusalOfALockOfAnotherKindIsFine() {
        events.asked("a", 0, "forever exclusive").asked("b", 5, "forever read");
        events.answered("b", 10, Kind.REFUSED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aRefusalBecauseOfADeadlockIsFine() {
        events.asked("a", 0, "forever exclusive").answered("a", 10, Kind.REFUSED);
        events.event("a", 11, Kind.DEADLOCK, "lock", "lock", "rejected", true);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aRefusalThatNoDeadlockExplainsIsFound() {
        events.asked("a", 0, "forever exclusive").answered("a", 10, Kind.REFUSED);
        events.event("a", 11, Kind.DEADLOCK, "lock", "lock", "rejected", false)
                .event("a", 11, Kind.DEADLOCK, "lock", "other", "rejected", true)
                .event("b", 11, Kind.DEADLOCK, "lock", "lock", "rejected", true);

        assertThat(violations()).singleElement().asString().contains("was answered with REFUSED");
    }

    @Test
    void aMistakeThatTheLibraryHasMendedIsFound() {
        events.event("a", 10, Kind.MISTAKE_LOGGED, "message", "Node 1 belongs to no seat");

        assertThat(violations()).singleElement().asString().contains("a has mended its own mistake: Node_1_belongs");
    }

    private List<Violation> violations() {
        return new K9Contract(events.timeline()).violations();
    }
}
