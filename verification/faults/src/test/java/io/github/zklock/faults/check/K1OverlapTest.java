package io.github.zklock.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class K1OverlapTest {

    private final TimelineBuilder events = new TimelineBuilder();

    @Test
    void aGrantBeforeTheReleaseOfAnotherIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000).released("a", 100, "ok");
        events.granted("b", 99, 2).sample("b", 99, 2000).released("b", 150, "ok");

        assertThat(violations()).singleElement().asString().contains("a#1", "b#1", "1.000 ms");
    }

    @Test
    void aGrantAfterTheReleaseIsFine() {
        events.granted("a", 0, 1).sample("a", 1, 2000).released("a", 100, "ok");
        events.granted("b", 101, 2).sample("b", 101, 2000).released("b", 150, "ok");

        assertThat(violations()).isEmpty();
    }

    @Test
    void grantWhileTheLastAnswerOfAPausedHolderIsValidIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000);
        events.granted("b", 1900, 2).sample("b", 1900, 2000).released("b", 1950, "ok");

        assertThat(violations()).hasSize(1);
    }

    @Test
    void grantAfterTheLastAnswerOfAPausedHolderHasExpiredIsFine() {
        events.granted("a", 0, 1).sample("a", 1, 2000).sample("a", 6000, 0).released("a", 6010, "ok");
        events.granted("b", 2100, 2).sample("b", 2100, 2000).released("b", 2150, "ok");

        assertThat(violations()).isEmpty();
    }

    @Test
    void onlyTheFirstAnswersAfterClocksStoodStillAreIgnored() {
        events.granted("a", 0, 1).sample("a", 1, 2000).event("a", 4000, Kind.CLOCKS_STOPPED, "nanos", 3_900_000_000L);
        events.granted("b", 3100, 2).sample("b", 3100, 4000);
        events.sample("a", 4010, 1000).sample("a", 5400, 50);

        assertThat(violations()).isEmpty();

        events.sample("a", 5600, 1000);

        assertThat(violations()).hasSize(1);
    }

    @Test
    void laterAnswersExtendAHeldInterval() {
        events.granted("a", 0, 1).sample("a", 1, 2000).sample("a", 1000, 2000);
        events.granted("b", 2500, 2).sample("b", 2500, 2000).released("b", 2600, "ok");

        assertThat(violations()).hasSize(1);
    }

    /** M27: a server has granted the session a shorter timeout. */
    @Test
    void shorterAnswerReplacesTheOneBefore() {
        events.granted("a", 0, 1).sample("a", 1, 2000).sample("a", 100, 300).sample("a", 1500, 0);
        events.granted("b", 1000, 2).sample("b", 1000, 2000).released("b", 1100, "ok");

        assertThat(violations()).isEmpty();

        events.granted("c", 350, 3).sample("c", 350, 2000).released("c", 390, "ok");

        assertThat(violations()).hasSize(1);
    }

    @Test
    void answerHeldWithoutATimeCounts() {
        events.granted("a", 0, 1).sample("a", 1, 2000).sampleWithoutTime("a", 3150);
        events.granted("b", 3100, 2).sample("b", 3100, 2000).released("b", 3200, "ok");

        assertThat(violations()).hasSize(1);
    }

    @Test
    void reportedLossEndsAHeldInterval() {
        events.granted("a", 0, 1).sample("a", 1, 2000).lost("a", 500);
        events.granted("b", 600, 2).sample("b", 600, 2000).released("b", 700, "ok");

        assertThat(violations()).isEmpty();
    }

    @Test
    void answerNotHeldEndsAHeldInterval() {
        events.granted("a", 0, 1).sample("a", 1, 2000).sample("a", 500, 0);
        events.granted("b", 600, 2).sample("b", 600, 2000).released("b", 700, "ok");

        assertThat(violations()).isEmpty();
    }

    @Test
    void heldIntervalAfterAGapCounts() {
        events.granted("a", 0, 1).sample("a", 1, 100).sample("a", 500, 0).sample("a", 800, 100);
        events.granted("b", 850, 2).sample("b", 850, 10).released("b", 855, "ok");

        assertThat(violations()).hasSize(1);
    }

    @Test
    void gapBetweenHeldIntervalsIsFree() {
        events.granted("a", 0, 1).sample("a", 1, 100).sample("a", 500, 0).sample("a", 800, 100);
        events.granted("b", 300, 2).sample("b", 300, 10).released("b", 305, "ok");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aPauseInsideAQuestionRaisesNoAlarm() {
        events.granted("a", 0, 1).sample("a", 1, 6000, 2000).released("a", 6010, "ok");
        events.granted("b", 2100, 2).sample("b", 2100, 2000).released("b", 2200, "ok");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aPauseBeforeTheFirstQuestionRaisesNoAlarm() {
        events.granted("a", 0, 1).sample("a", 6000, 0).released("a", 6010, "ok");
        events.granted("b", 3100, 2).sample("b", 3100, 2000).released("b", 3200, "ok");

        assertThat(violations()).isEmpty();
    }

    @Test
    void overlapIsFoundAfterAShorterHold() {
        events.granted("a", 0, 1).sample("a", 1, 2000);
        events.granted("b", 100, 2).sample("b", 100, 2000).released("b", 110, "ok");
        events.granted("c", 1000, 3).sample("c", 1000, 2000).released("c", 1100, "ok");

        assertThat(violations()).hasSize(2);
    }

    @Test
    void readersOfOneMomentAreFine() {
        events.held("a", 0, 1, "read", 2000).held("b", 100, 2, "read", 2000);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aWriterBesideAReaderIsFound() {
        events.held("a", 0, 1, "read", 2000).held("b", 100, 2, "write", 2000);

        assertThat(violations()).singleElement().asString().contains("a#1", "b#1", "1900.000 ms");
    }

    @Test
    void aReaderBesideAWriterIsFound() {
        events.held("a", 0, 1, "write", 2000).held("b", 100, 2, "read", 2000);

        assertThat(violations()).hasSize(1);
    }

    @Test
    void aWriterBesideALongReaderIsFoundBehindAShortOne() {
        events.held("a", 0, 1, "read", 2000).held("b", 100, 2, "read", 10);
        events.held("c", 1000, 3, "write", 10);

        assertThat(violations()).singleElement().asString().contains("a#1", "c#1");
    }

    @Test
    void asManyPermitsAsThereAreAreFine() {
        events.held("a", 0, 1, "permits-1-of-3", 2000).held("b", 100, 2, "permits-2-of-3", 2000);
        events.held("c", 2200, 3, "permits-3-of-3", 2000);

        assertThat(violations()).isEmpty();
    }

    @Test
    void onePermitTooManyIsFound() {
        events.held("a", 0, 1, "permits-1-of-3", 2000).held("b", 100, 2, "permits-1-of-3", 2000);
        events.held("c", 200, 3, "permits-2-of-3", 2000);

        assertThat(violations()).singleElement().asString().contains("c#1", "4 permits of 3", "a#1", "b#1");
    }

    @Test
    void smallestNumberOfPermitsCountsWhereTheyDiffer() {
        events.held("a", 0, 1, "permits-1-of-2", 2000).held("b", 100, 2, "permits-1-of-4", 2000);
        assertThat(violations()).isEmpty();

        events.held("c", 200, 3, "permits-1-of-4", 2000);

        assertThat(violations()).singleElement().asString().contains("c#1", "3 permits of 2", "a#1", "b#1");
    }

    @Test
    void holderOfADeletedSeatIsExcusedUntilItMustHaveNoticed() {
        events.made(0, 1).made(1, 2).granted("a", 0, 1).sample("a", 1, 1500);
        deleteByOperator(1000, 1);
        events.held("b", 1005, 2, "exclusive", 2000);

        assertThat(violations()).isEmpty();

        events.sample("a", 1400, 1000).lost("a", 2300);

        assertThat(violations()).singleElement().asString().contains("a#1", "b#1", "1295.000 ms");
    }

    @Test
    void grantOnADeletedSeatIsExcused() {
        events.made(0, 1).made(1, 2);
        deleteByOperator(1000, 1);
        events.held("b", 1005, 2, "exclusive", 2000);
        events.held("a", 1010, 1, "exclusive", 1000).lost("a", 1030);

        assertThat(violations()).isEmpty();
    }

    @Test
    void grantOnADeletedSeatBehindAHolderIsFound() {
        events.made(0, 1).made(5, 2).held("a", 0, 1, "exclusive", 2000).released("a", 1200, "ok");
        deleteByOperator(1000, 2);
        events.held("b", 1003, 2, "exclusive", 100);

        assertThat(violations()).singleElement().asString().contains("a#1", "b#1");
    }

    @Test
    void twoGrantsOnOneDeletedSeatAreFound() {
        events.made(0, 1).held("a", 0, 1, "exclusive", 1200);
        deleteByOperator(1000, 1);
        events.held("b", 1003, 1, "exclusive", 100);

        assertThat(violations()).singleElement().asString().contains("a#1", "b#1");
    }

    @Test
    void deletionExcusesNoEarlierOverlap() {
        events.made(0, 1).made(1, 2).granted("a", 0, 1).sample("a", 1, 1100);
        events.held("b", 900, 2, "exclusive", 2000);
        deleteByOperator(1000, 1);

        assertThat(violations()).hasSize(1);
    }

    @Test
    void deletionByAnotherProcessExcusesNoHolder() {
        events.made(0, 1).made(1, 2).granted("a", 0, 1).sample("a", 1, 1500).ended(1000, 1, SeatEnd.DELETED);
        events.held("b", 1005, 2, "exclusive", 2000);
        events.made(4000, 3);
        deleteByOperator(5000, 3);

        assertThat(violations()).singleElement().asString().contains("a#1", "b#1");
    }

    @Test
    void permitsOfADeletedSeatAreNotCountedForAWhile() {
        String permits = "permits-2-of-3-";
        events.made(0, 1, permits).made(1, 2, permits).made(2, 3, permits).held("a", 0, 1, "permits-2-of-3", 1200);
        events.ended(1000, 1, SeatEnd.DELETED)
                .event("operator", 1001, Kind.DELETED, "node", "/base/lock/_c_x-permits-2-of-3-0000000001");
        events.held("b", 1005, 2, "permits-2-of-3", 2000);

        assertThat(violations()).isEmpty();

        events.held("c", 1100, 3, "permits-2-of-3", 10);

        assertThat(violations())
                .singleElement()
                .asString()
                .contains("c#1", "b#1")
                .doesNotContain("a#1");
    }

    private void deleteByOperator(long at, long seat) {
        events.ended(at, seat, SeatEnd.DELETED)
                .event("operator", at + 1, Kind.DELETED, "node", "/base/lock/_c_x-lock-%010d".formatted(seat));
    }

    private List<Violation> violations() {
        return new K1Overlap(events.timeline()).violations();
    }
}
