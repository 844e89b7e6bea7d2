package io.github.zklock.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class K6LossReportingTest {

    private final TimelineBuilder events = new TimelineBuilder().made(0, 1);

    @Test
    void regularReleaseIsFine() {
        events.granted("a", 0, 1).sample("a", 1, 2000).released("a", 100, "ok").ended(110, 1, SeatEnd.RELEASED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void reportedLossIsFine() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(2900, 1, SeatEnd.EXPIRED);
        events.sample("a", 3000, 0).lost("a", 3100).released("a", 3200, "lost");

        assertThat(violations()).isEmpty();
    }

    @Test
    void unreportedLossIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(2900, 1, SeatEnd.EXPIRED);
        events.sample("a", 2000, 899).sample("a", 3000, 1).released("a", 3200, "ok");

        assertThat(violations()).anyMatch(found -> found.text().contains("neither its handle nor its release"));
    }

    @Test
    void releaseAfterTheAnswerNotHeldIsFine() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(2900, 1, SeatEnd.EXPIRED);
        events.sample("a", 3000, 0).released("a", 3001, "ok");

        assertThat(violations()).isEmpty();
    }

    @Test
    void holdingAfterTheEndOfTheSessionIsFound() {
        events.granted("a", 0, 1)
                .sample("a", 1, 3000)
                .ended(2900, 1, SeatEnd.EXPIRED)
                .lost("a", 3100);

        assertThat(violations()).singleElement().asString().contains("101.000 ms after");
    }

    @Test
    void holdingAfterTheCloseOfTheSessionIsFound() {
        events.granted("a", 0, 1)
                .sample("a", 1, 3000)
                .ended(100, 1, SeatEnd.CLOSED)
                .lost("a", 2100);

        assertThat(violations()).singleElement().asString().contains("2000.000 ms after");
    }

    @Test
    void announcedCloseOfASessionIsReportedAtOnce() {
        events.granted("a", 0, 1).sample("a", 1, 2000);
        events.ended(100, 1, SeatEnd.CLOSED).sample("a", 700, 0).lost("a", 800);

        assertThat(violations()).singleElement().asString().contains("600.000 ms after");
    }

    @Test
    void deletionThatIsReportedLongAfterTheNextRenewalIsFound() {
        events.granted("a", 1, 1)
                .sample("a", 1, 1500)
                .ended(1000, 1, SeatEnd.DELETED)
                .sample("a", 1400, 0);
        events.lost("a", 4000).released("a", 4100, "lost");

        assertThat(violations()).singleElement().asString().contains("did not report its loss for 3000 ms");
    }

    @Test
    void deletionInALongSessionIsReportedByItsOwnRenewal() {
        events.event("a", 0, Kind.READY, "timeout", 20_000).granted("a", 1, 1).sample("a", 1, 3400);
        events.ended(1000, 1, SeatEnd.DELETED).lost("a", 3401).released("a", 3500, "lost");

        assertThat(violations()).isEmpty();
    }

    @Test
    void deletionInALongSessionThatIsReportedLateIsFound() {
        events.event("a", 0, Kind.READY, "timeout", 20_000).granted("a", 1, 1).sample("a", 1, 4400);
        events.ended(1000, 1, SeatEnd.DELETED).lost("a", 4401).released("a", 4500, "lost");

        assertThat(violations()).singleElement().asString().contains("3401.000 ms after");
    }

    @Test
    void deletionBeforeTheGrantIsReportedSoon() {
        events.event("a", 0, Kind.READY, "timeout", 20_000).ended(1000, 1, SeatEnd.DELETED);
        events.granted("a", 1010, 1).sample("a", 1010, 2000).lost("a", 3010).released("a", 3100, "lost");

        assertThat(violations()).singleElement().asString().contains("2010.000 ms after");
    }

    @Test
    void foreignCloseOfASessionIsReportedAfterAReconnect() {
        events.granted("a", 0, 1).sample("a", 1, 2000).event("a", 90, Kind.DISRUPTED, "how", "FOREIGN_CLOSE");
        events.ended(100, 1, SeatEnd.CLOSED).sample("a", 1400, 0).lost("a", 1500);

        assertThat(violations()).isEmpty();
    }

    @Test
    void clientThatClosesItsOwnSessionReportsTheLossAtOnce() {
        events.granted("a", 0, 1).sample("a", 1, 2000).event("a", 90, Kind.DISRUPTED, "how", "RESET");
        events.ended(100, 1, SeatEnd.CLOSED).sample("a", 1400, 0).lost("a", 1500);

        assertThat(violations()).singleElement().asString().contains("1300.000 ms after");
    }

    @Test
    void aHandleThatIsHeldAgainAfterItsLossIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(2900, 1, SeatEnd.EXPIRED);
        events.sample("a", 2500, 0).lost("a", 3100).sample("a", 3200, 500).released("a", 3300, "lost");

        assertThat(violations()).singleElement().asString().contains("and then answered that it was held");
    }

    @Test
    void heldIntervalThatBeginsAfterTheEndOfTheSeatIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 900).ended(1000, 1, SeatEnd.EXPIRED);
        events.sample("a", 950, 0).sample("a", 1100, 2000).lost("a", 4000).released("a", 4100, "lost");

        assertThat(violations()).singleElement().asString().contains("was held for 2100.000 ms after");
    }

    @Test
    void earlierCloseOfAnApplicationExplainsNoLaterLoss() {
        events.event("a", 10, Kind.CLOSING)
                .granted("a", 20, 1)
                .sample("a", 21, 2000)
                .lost("a", 50);
        events.released("a", 100, "lost").ended(110, 1, SeatEnd.RELEASED);

        assertThat(violations()).singleElement().asString().contains("loss of a seat that was not taken");
    }

    @Test
    void aRollbackUnderALockThatIsNotProvenIsNoReportOfALoss() {
        events.granted("a", 20, 1).sample("a", 21, 10).sample("a", 90, 0).releasedUnproven("a", 100);
        events.ended(110, 1, SeatEnd.RELEASED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void lossByTheCloseOfAnApplicationIsFine() {
        events.granted("a", 20, 1)
                .sample("a", 21, 2000)
                .event("a", 30, Kind.CLOSING)
                .lost("a", 50);
        events.released("a", 100, "lost").ended(110, 1, SeatEnd.RELEASED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aLossThatDidNotHappenIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000).lost("a", 50).released("a", 100, "lost");
        events.ended(110, 1, SeatEnd.RELEASED);

        assertThat(violations()).singleElement().asString().contains("not taken");
    }

    @Test
    void aReleaseThatForgetsTheLossIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(2900, 1, SeatEnd.DELETED);
        events.sample("a", 3000, 0).lost("a", 3100).released("a", 3200, "ok");

        assertThat(violations()).singleElement().asString().contains("its release did not");
    }

    @Test
    void releaseBeforeADeletionIsDueToBeNoticedNeedNotReportIt() {
        events.granted("a", 0, 1)
                .sample("a", 1, 2000)
                .ended(1000, 1, SeatEnd.DELETED)
                .released("a", 1100, "ok");

        assertThat(violations()).isEmpty();
    }

    @Test
    void releaseAfterADeletionWasDueToBeNoticedHasToReportIt() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(1000, 1, SeatEnd.DELETED);
        events.sample("a", 1800, 200).released("a", 2000, "ok");

        assertThat(violations()).anyMatch(found -> found.text().contains("neither its handle nor its release"));
    }

    @Test
    void readerThatHoldsAfterTheEndOfItsSessionIsFound() {
        events.held("a", 0, 1, "read", 3000).ended(2900, 1, SeatEnd.EXPIRED).lost("a", 3100);

        assertThat(violations()).singleElement().asString().contains("100.000 ms after");
    }

    @Test
    void unreportedLossOfPermitsIsFound() {
        events.held("a", 0, 1, "permits-2-of-3", 2000).ended(2900, 1, SeatEnd.EXPIRED);
        events.sample("a", 3000, 1).released("a", 3200, "ok");

        assertThat(violations()).anyMatch(found -> found.text().contains("neither its handle nor its release"));
    }

    @Test
    void lossThatIsReportedASessionTimeoutTooLateIsFound() {
        events.granted("a", 1, 1).sample("a", 1, 2000).ended(1000, 1, SeatEnd.DELETED);
        events.lost("a", 7001).released("a", 7100, "lost");

        assertThat(violations()).anyMatch(found -> found.text().contains("did not report its loss for 6001 ms"));
    }

    @Test
    void lossOfAPausedHolderIsReportedAfterItsResumption() {
        events.event("a", 0, Kind.READY).granted("a", 1, 1).sample("a", 1, 900);
        events.event("a", 500, Kind.PAUSED).ended(1000, 1, SeatEnd.EXPIRED).event("a", 9000, Kind.RESUMED);
        events.sample("a", 9001, 0).lost("a", 9100).released("a", 9200, "lost");

        assertThat(violations()).isEmpty();
    }

    @Test
    void lossByAClosedSessionIsReported() {
        events.granted("a", 1, 1).sample("a", 1, 2000).lost("a", 99).ended(100, 1, SeatEnd.CLOSED);
        events.released("a", 200, "lost");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aSeatThatWentOnAsAReadersAndWasThenTakenIsALoss() {
        events.granted("a", 1, 1).sample("a", 1, 100).renamed(50, 1, "__READ__").ended(200, 1, SeatEnd.EXPIRED);
        events.lost("a", 201).released("a", 300, "lost");

        assertThat(violations()).isEmpty();
    }

    private List<Violation> violations() {
        return new K6LossReporting(events.timeline()).violations();
    }
}
