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
    void aReleaseOfASeatThatNobodyTookIsFine() {
        events.granted("a", 0, 1).sample("a", 1, 2000).released("a", 100, "ok").ended(110, 1, SeatEnd.RELEASED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aLossThatIsToldAndReportedIsFine() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(2900, 1, SeatEnd.EXPIRED);
        events.sample("a", 3000, 0).lost("a", 3100).released("a", 3200, "lost");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aLossThatNobodyToldIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(2900, 1, SeatEnd.EXPIRED);
        events.sample("a", 2000, 899).sample("a", 3000, 1).released("a", 3200, "ok");

        assertThat(violations()).anyMatch(found -> found.text().contains("neither its handle nor its release"));
    }

    @Test
    void aReleaseByAHolderWhoKnowsThatItCannotKnowIsFine() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(2900, 1, SeatEnd.EXPIRED);
        events.sample("a", 3000, 0).released("a", 3001, "ok");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aBeliefBeyondTheEndOfTheSessionIsFound() {
        events.granted("a", 0, 1)
                .sample("a", 1, 3000)
                .ended(2900, 1, SeatEnd.EXPIRED)
                .lost("a", 3100);

        assertThat(violations()).singleElement().asString().contains("101.000 ms after");
    }

    @Test
    void aBeliefBeyondTheCloseOfTheSessionIsFound() {
        events.granted("a", 0, 1)
                .sample("a", 1, 3000)
                .ended(100, 1, SeatEnd.CLOSED)
                .lost("a", 2100);

        assertThat(violations()).singleElement().asString().contains("2000.000 ms after");
    }

    @Test
    void whoseClientDoesNotSayThatItClosesItsSessionLearnsOfItByTheNextRenewal() {
        events.event("a", 0, Kind.READY, "foreign", true).granted("a", 0, 1).sample("a", 1, 2000);
        events.ended(100, 1, SeatEnd.CLOSED).sample("a", 700, 0).lost("a", 800);

        assertThat(violations()).isEmpty();
    }

    @Test
    void whoseClientSaysSoLearnsOfItAtOnce() {
        events.event("a", 0, Kind.READY, "foreign", false).granted("a", 0, 1).sample("a", 1, 2000);
        events.ended(100, 1, SeatEnd.CLOSED).sample("a", 700, 0).lost("a", 800);

        assertThat(violations()).singleElement().asString().contains("600.000 ms after");
    }

    @Test
    void aLossByDeletionThatIsToldLongAfterTheNextRenewalIsFound() {
        events.granted("a", 1, 1)
                .sample("a", 1, 1500)
                .ended(1000, 1, SeatEnd.DELETED)
                .sample("a", 1400, 0);
        events.lost("a", 4000).released("a", 4100, "lost");

        assertThat(violations()).singleElement().asString().contains("left in doubt for 3000 ms");
    }

    @Test
    void whoseSessionIsLongLearnsOfADeletionByItsOwnRenewal() {
        events.event("a", 0, Kind.READY, "timeout", 20_000).granted("a", 1, 1).sample("a", 1, 3400);
        events.ended(1000, 1, SeatEnd.DELETED).lost("a", 3401).released("a", 3500, "lost");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aDeletionThatALongSessionLearnsOfLongAfterItsOwnRenewalIsFound() {
        events.event("a", 0, Kind.READY, "timeout", 20_000).granted("a", 1, 1).sample("a", 1, 4400);
        events.ended(1000, 1, SeatEnd.DELETED).lost("a", 4401).released("a", 4500, "lost");

        assertThat(violations()).singleElement().asString().contains("3401.000 ms after");
    }

    @Test
    void whoeverIsGrantedWhatIsDeletedByThenLearnsOfItSoon() {
        events.event("a", 0, Kind.READY, "timeout", 20_000).ended(1000, 1, SeatEnd.DELETED);
        events.granted("a", 1010, 1).sample("a", 1010, 2000).lost("a", 3010).released("a", 3100, "lost");

        assertThat(violations()).singleElement().asString().contains("2010.000 ms after");
    }

    @Test
    void whoseSessionWasClosedFromElsewhereMayConnectAgainToLearnOfIt() {
        events.granted("a", 0, 1).sample("a", 1, 2000).event("a", 90, Kind.DISRUPTED, "how", "FOREIGN_CLOSE");
        events.ended(100, 1, SeatEnd.CLOSED).sample("a", 1400, 0).lost("a", 1500);

        assertThat(violations()).isEmpty();
    }

    @Test
    void whoClosesItsOwnSessionMayNot() {
        events.granted("a", 0, 1).sample("a", 1, 2000).event("a", 90, Kind.DISRUPTED, "how", "RESET");
        events.ended(100, 1, SeatEnd.CLOSED).sample("a", 1400, 0).lost("a", 1500);

        assertThat(violations()).singleElement().asString().contains("1300.000 ms after");
    }

    @Test
    void aHandleThatIsHeldAgainAfterItsLossIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(2900, 1, SeatEnd.EXPIRED);
        events.sample("a", 2500, 0).lost("a", 3100).sample("a", 3200, 500).released("a", 3300, "lost");

        assertThat(violations()).singleElement().asString().contains("and then said that it was held");
    }

    @Test
    void aBeliefThatComesBackAfterTheSeatHasGoneIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 900).ended(1000, 1, SeatEnd.EXPIRED);
        events.sample("a", 950, 0).sample("a", 1100, 2000).lost("a", 4000).released("a", 4100, "lost");

        assertThat(violations()).singleElement().asString().contains("believed in its lock for 2100.000 ms after");
    }

    @Test
    void whatAnApplicationTookBackBeforeExcusesNoLossOfALaterGrant() {
        events.event("a", 10, Kind.CLOSING)
                .granted("a", 20, 1)
                .sample("a", 21, 2000)
                .lost("a", 50);
        events.released("a", 100, "lost").ended(110, 1, SeatEnd.RELEASED);

        assertThat(violations()).singleElement().asString().contains("lost a seat that nobody took");
    }

    @Test
    void whatAnApplicationTakesBackIsRightlyTold() {
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

        assertThat(violations()).singleElement().asString().contains("nobody took");
    }

    @Test
    void aReleaseThatForgetsTheLossIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000).ended(2900, 1, SeatEnd.DELETED);
        events.sample("a", 3000, 0).lost("a", 3100).released("a", 3200, "ok");

        assertThat(violations()).singleElement().asString().contains("said nothing");
    }

    @Test
    void aReaderWhoBelievesBeyondTheEndOfItsSessionIsFound() {
        events.believed("a", 0, 1, "read", 3000).ended(2900, 1, SeatEnd.EXPIRED).lost("a", 3100);

        assertThat(violations()).singleElement().asString().contains("100.000 ms after");
    }

    @Test
    void aLossOfPermitsThatNobodyToldIsFound() {
        events.believed("a", 0, 1, "permits-2-of-3", 2000).ended(2900, 1, SeatEnd.EXPIRED);
        events.sample("a", 3000, 1).released("a", 3200, "ok");

        assertThat(violations()).anyMatch(found -> found.text().contains("neither its handle nor its release"));
    }

    @Test
    void aLossThatIsToldAFullSessionTooLateIsFound() {
        events.granted("a", 1, 1).sample("a", 1, 2000).ended(1000, 1, SeatEnd.DELETED);
        events.lost("a", 7001).released("a", 7100, "lost");

        assertThat(violations()).anyMatch(found -> found.text().contains("left in doubt for 6001 ms"));
    }

    @Test
    void aHolderThatWasStoppedIsToldWhenItGoesOn() {
        events.event("a", 0, Kind.READY).granted("a", 1, 1).sample("a", 1, 900);
        events.event("a", 500, Kind.PAUSED).ended(1000, 1, SeatEnd.EXPIRED).event("a", 9000, Kind.RESUMED);
        events.sample("a", 9001, 0).lost("a", 9100).released("a", 9200, "lost");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aHolderWhoseSessionWasClosedUnderItIsRightlyTold() {
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
        return new K6LossReporting().violations(events.timeline());
    }
}
