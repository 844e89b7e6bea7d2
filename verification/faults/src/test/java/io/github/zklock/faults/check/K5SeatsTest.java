package io.github.zklock.faults.check;

import static io.github.zklock.faults.timeline.TimelineBuilder.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class K5SeatsTest {

    private final TimelineBuilder events = new TimelineBuilder();

    @Test
    void holderOfALibraryThatNamesNoSeatNeedsNone() {
        events.granted("a", 10, 0, "s1");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aGrantOnAnOwnSeatIsFine() {
        events.made(0, 1).granted("a", 10, 1);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aGrantOnTheSeatOfAnEarlierSessionIsFound() {
        events.made(0, 1).granted("a", 10, token(1, 0), "s2");

        assertThat(violations()).singleElement().asString().contains("a seat of session s1");
    }

    @Test
    void aGrantOnASeatThatNeverWasIsFound() {
        events.made(0, 1).granted("a", 10, 2);

        assertThat(violations()).singleElement().asString().contains("no seat");
    }

    @Test
    void aGrantBehindSomebodyElseIsFound() {
        events.made(0, 1).made(10, 2).granted("b", 20, 2).ended(500, 1, SeatEnd.RELEASED);

        assertThat(violations()).singleElement().asString().contains("480 ms before it was the turn");
    }

    @Test
    void aGrantOnASeatWhoseTurnNeverCameIsFound() {
        events.made(0, 1).made(10, 2).granted("b", 20, 2);

        assertThat(violations()).singleElement().asString().contains("whose turn never came");
    }

    @Test
    void seatsOfTwoLocksMayHaveBeenMadeTogether() {
        events.madeOf("orders", 0, 1, "s1").madeOf("stock", 0, 0, "s2").madeOf("stock", 10, 1, "s1");
        events.granted("a", 20, token(1, 0), "s1", "exclusive@orders");

        assertThat(violations()).isEmpty();

        events.granted("a", 30, token(1, 0), "s1", "exclusive@stock");

        assertThat(violations()).singleElement().asString().contains("whose turn never came");
    }

    @Test
    void aGrantBehindASeatOfItsOwnSessionIsFine() {
        events.made(0, 1).made(10, 2, "lock-", "s1").granted("a", 20, token(2, 0), "s1");
        events.ended(500, 1, SeatEnd.RELEASED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aWriterBehindReadersOfItsOwnSessionIsFine() {
        events.made(0, 1, "__READ__", "s1").made(10, 2, "__WRIT__", "s1");
        events.granted("a", 20, token(2, 0), "s1", "write");
        events.ended(500, 1, SeatEnd.RELEASED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aGrantBehindAnotherSessionIsFoundWhateverElseStandsInFront() {
        events.made(0, 1).made(10, 2).made(20, 3, "lock-", "s1").granted("a", 30, token(3, 0), "s1");
        events.ended(530, 2, SeatEnd.RELEASED);

        assertThat(violations()).singleElement().asString().contains("500 ms before it was the turn");
    }

    @Test
    void readersOfOneSessionDoNotPassTheWriterOfAnother() {
        events.made(0, 1, "__WRIT__").made(10, 2, "__READ__");
        events.granted("a", 20, token(2, 0), "s2", "read").ended(500, 1, SeatEnd.RELEASED);

        assertThat(violations()).singleElement().asString().contains("480 ms before it was the turn");
    }

    @Test
    void aGrantAfterTheOneInFrontHasLeftIsFine() {
        events.made(0, 1).made(10, 2).ended(500, 1, SeatEnd.EXPIRED).granted("b", 501, 2);

        assertThat(violations()).isEmpty();
    }

    @Test
    void grantOnASeatThatHasEndedIsFound() {
        events.made(0, 1).ended(100, 1, SeatEnd.RELEASED).held("a", 200, 1, "exclusive", 2000);

        assertThat(violations()).singleElement().asString().contains("100 ms after", "had ended");
    }

    @Test
    void grantThatWasNeverHeldIsFoundOnASeatThatHasEnded() {
        events.made(0, 1).ended(100, 1, SeatEnd.EXPIRED).granted("a", 200, 1).sample("a", 201, 0);

        assertThat(violations()).singleElement().asString().contains("100 ms after", "had ended");
    }

    @Test
    void processThatWasPausedBeforeItsGrantNeedNotKnow() {
        events.event("a", 0, Kind.READY).made(0, 1).event("a", 50, Kind.PAUSED).ended(100, 1, SeatEnd.EXPIRED);
        events.event("a", 190, Kind.RESUMED).granted("a", 200, 1).sample("a", 201, 0);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aTurnOnASeatThatAnOperatorHasJustDeletedIsFine() {
        events.made(0, 1).ended(100, 1, SeatEnd.DELETED).held("a", 200, 1, "exclusive", 2000);

        assertThat(violations()).isEmpty();
    }

    @Test
    void waiterMayBeGrantedASeatThatAnOperatorHasJustDeleted() {
        events.made(0, 1).made(10, 2).ended(100, 2, SeatEnd.DELETED).ended(110, 1, SeatEnd.RELEASED);
        events.held("b", 115, 2, "exclusive", 2000);

        assertThat(violations()).isEmpty();
    }

    @Test
    void laterDeletionByAnOperatorIsNoTurn() {
        events.made(0, 1).made(10, 2).held("b", 50, 2, "exclusive", 2000).ended(100, 2, SeatEnd.DELETED);

        assertThat(violations()).singleElement().asString().contains("whose turn never came");
    }

    @Test
    void readersOfTheFrontAreServedTogether() {
        events.made(0, 1, "__READ__").made(10, 2, "__READ__").held("b", 20, 2, "read", 10);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aReaderBehindAWaitingWriterIsFound() {
        events.made(0, 1, "__READ__").made(10, 2, "__WRIT__").made(20, 3, "__READ__");
        events.held("c", 30, 3, "read", 10);

        assertThat(violations()).singleElement().asString().contains("never came");
    }

    @Test
    void aWritersSeatIsGoodForReadersOfItsProcess() {
        events.made(0, 1, "__WRIT__").held("a", 10, 1, "read", 10);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aReadersSeatIsNotGoodForAWriter() {
        events.made(0, 1, "__READ__").held("a", 10, 1, "write", 10);

        assertThat(violations()).singleElement().asString().contains("another kind");
    }

    @Test
    void aWriterThatBecomesAReaderLetsTheReadersBehindItIn() {
        events.made(0, 1, "__WRIT__").made(10, 2, "__READ__").renamed(100, 1, "__READ__");
        events.held("b", 101, 2, "read", 10);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aReaderBeforeTheWriterInFrontBecameOneIsFound() {
        events.made(0, 1, "__WRIT__").made(10, 2, "__READ__").held("b", 20, 2, "read", 10);
        events.renamed(100, 1, "__READ__");

        assertThat(violations()).singleElement().asString().contains("80 ms before");
    }

    @Test
    void asManyPermitsAsThereAreAreServed() {
        events.made(0, 1, "permits-1-of-3-").made(10, 2, "permits-2-of-3-");
        events.held("b", 20, 2, "permits-2-of-3", 10);

        assertThat(violations()).isEmpty();
    }

    @Test
    void permitThatOvertakesALargerRequestIsFound() {
        events.made(0, 1, "permits-2-of-3-").made(10, 2, "permits-2-of-3-").made(20, 3, "permits-1-of-3-");
        events.held("c", 30, 3, "permits-1-of-3", 10);

        assertThat(violations()).singleElement().asString().contains("never came");
    }

    @Test
    void differentLogsAreFound() {
        events.event("server-2", 0, Kind.LOGS_DIFFER, "zxid", 7);

        assertThat(violations()).singleElement().asString().contains("different transactions", "zxid=7");
    }

    private List<Violation> violations() {
        return new K5Seats(events.timeline()).violations();
    }
}
