package io.github.zklock.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link K3FencedWrites} and {@link K4PlainWrites}. */
class RegisterWritesTest {

    private final TimelineBuilder events = new TimelineBuilder();

    @Test
    void oneWriteAfterTheOtherIsFine() {
        events.wrote("a", 2000, true, 0, 0, false).wrote("b", 4000, true, 1, 1, false);
        events.wrote("a", 2000, false, 0, 0, false).wrote("b", 4000, false, 1, 1, false);

        assertThat(fenced()).isEmpty();
        assertThat(plain()).isEmpty();
    }

    @Test
    void overwritingAFencedWriteIsFound() {
        events.wrote("a", 2000, true, 0, 0, false).wrote("b", 2100, true, 0, 1, false);

        assertThat(fenced()).singleElement().asString().contains("b#1", "0 when it was 1");
        assertThat(plain()).isEmpty();
    }

    @Test
    void aStaleWriteThatIsRefusedIsFine() {
        events.wrote("b", 2000, true, 0, 0, false).wrote("a", 9000, true, 0, 1, true, 10);

        assertThat(fenced()).isEmpty();
    }

    @Test
    void rejectionOfAHolderIsFound() {
        events.wrote("b", 2000, true, 0, 0, false).wrote("a", 2100, true, 0, 1, true);

        assertThat(fenced()).singleElement().asString().contains("a#1", "was rejected");
    }

    @Test
    void aHolderThatDoesNotGetToWriteIsFound() {
        events.event("register", 0, Kind.READY)
                .granted("a", 1, 1)
                .sample("a", 2, 10)
                .released("a", 10, "ok");

        assertThat(fenced()).singleElement().asString().contains("a#1", "did not get to write");
    }

    @Test
    void overwritingAPlainWriteIsFound() {
        events.wrote("a", 2000, false, 0, 0, false).wrote("b", 2100, false, 0, 1, false);

        assertThat(plain()).singleElement().asString().contains("b#1", "the update of a is lost");
        assertThat(fenced()).isEmpty();
    }

    @Test
    void writeAfterTheLastAnswerHasExpiredIsNoViolation() {
        events.wrote("a", 2000, false, 0, 0, false).wrote("b", 2100, false, 0, 1, false, 900);

        assertThat(plain()).isEmpty();
    }

    @Test
    void writeOfAPausedProcessIsNoViolation() {
        events.wrote("a", 2000, false, 0, 0, false);
        events.event("b", 1500, Kind.PAUSED).event("b", 2050, Kind.RESUMED).wrote("b", 2100, false, 0, 1, false, 0);

        assertThat(plain()).isEmpty();
    }

    @Test
    void overwritingALateWriteThatCameAfterTheReadIsNoViolation() {
        events.wrote("late", 2000, false, 0, 0, false, 900).wrote("b", 2100, false, 0, 1, false);

        assertThat(plain()).isEmpty();
    }

    @Test
    void writeAfterAReadOfALateWriteIsJudged() {
        events.wrote("late", 2000, false, 0, 0, false, 900).wrote("b", 4000, false, 1, 1, false);
        events.wrote("c", 4100, false, 1, 2, false);

        assertThat(plain()).singleElement().asString().contains("c#1");
    }

    private List<Violation> fenced() {
        return new K3FencedWrites(events.timeline()).violations();
    }

    private List<Violation> plain() {
        return new K4PlainWrites(events.timeline()).violations();
    }
}
