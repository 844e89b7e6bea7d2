package io.github.zklock.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private static final Map<Count, Integer> NONE = minimums(0, 0, 0, 0, 0);

    private final TimelineBuilder events = new TimelineBuilder();

    @Test
    void whatAllCheckersAcceptPasses() {
        twoTurns();

        Verdict verdict = new Verdict(minimums(2, 1, 1, 0, 0), events.timeline());

        assertThat(verdict.passed()).as(verdict.describe()).isTrue();
        assertThat(Verdict.inWords(verdict.counts()))
                .isEqualTo("2 grants, 1 hand-overs, 1 together, 0 losses told, 0 writes with a token,"
                        + " 0 stale writes refused, 0 faults");
    }

    @Test
    void figuresAreReported() {
        events.event("loaded", 5, Kind.MEASURED, "calls", 300, "latest_answer", "12 ms");

        assertThat(new Verdict(NONE, events.timeline()).figures())
                .containsExactly("loaded: calls 300, latest answer 12 ms");
    }

    @Test
    void harmThatTheScenarioHasFoundFails() {
        events.event("load", 5, Kind.HARMED, "what", "an answer was late");

        assertThat(new Verdict(NONE, events.timeline()).describe()).isEqualTo("Load: an answer was late");
    }

    @Test
    void inconclusiveRunFails() {
        twoTurns();

        Verdict verdict = new Verdict(minimums(3, 2, 2, 1, 1), events.timeline());

        assertThat(verdict.describe().lines()).hasSize(5).allMatch(line -> line.startsWith("Inconclusive"));
        assertThat(verdict.passed()).isFalse();
    }

    @Test
    void aViolationFails() {
        events.granted("a", 0, 1).sample("a", 1, 2000).released("a", 100, "ok");

        Verdict verdict = new Verdict(NONE, events.timeline());

        assertThat(verdict.describe()).startsWith("K5");
        assertThat(verdict.passed()).isFalse();
    }

    @Test
    void aClientThatFailsFails() {
        events.timeline().add(Event.of("a", 0, Kind.FAILED, "message", "for a reason"));

        assertThat(new Verdict(NONE, events.timeline()).describe()).contains("for_a_reason");
    }

    @Test
    void locksThatStayWithTheirHoldersAreNotHandedOver() {
        events.made(0, 1).granted("a", 1, TimelineBuilder.token(1, 0), "s1", "exclusive@one");
        events.made(50, 2).granted("b", 110, TimelineBuilder.token(2, 0), "s2", "exclusive@other");

        assertThat(new Verdict(NONE, events.timeline()).counts()).containsEntry(Count.HAND_OVERS, 0);
    }

    @Test
    void permitsAreCountedTogether() {
        events.made(0, 1, "permits-2-of-4-")
                .held("a", 1, 1, "permits-2-of-4", 2000)
                .released("a", 100, "ok");
        events.ended(101, 1, SeatEnd.RELEASED);
        events.made(50, 2, "permits-1-of-4-")
                .held("b", 60, 2, "permits-1-of-4", 2000)
                .released("b", 150, "ok");
        events.ended(151, 2, SeatEnd.RELEASED);

        assertThat(new Verdict(minimums(2, 1, 3, 0, 0), events.timeline()).passed())
                .isTrue();
        assertThat(new Verdict(minimums(2, 1, 4, 0, 0), events.timeline()).describe())
                .isEqualTo("Inconclusive: 3 together, fewer than 4");
    }

    private void twoTurns() {
        events.made(0, 1).granted("a", 1, 1).sample("a", 1, 2000).released("a", 100, "ok");
        events.ended(101, 1, SeatEnd.RELEASED);
        events.made(50, 2).granted("b", 110, 2).sample("b", 110, 2000).released("b", 150, "ok");
        events.ended(151, 2, SeatEnd.RELEASED);
    }

    private static Map<Count, Integer> minimums(int grants, int handOvers, int together, int losses, int faults) {
        return Map.of(
                Count.GRANTS, grants,
                Count.HAND_OVERS, handOvers,
                Count.TOGETHER, together,
                Count.LOSSES, losses,
                Count.FAULTS, faults);
    }
}
