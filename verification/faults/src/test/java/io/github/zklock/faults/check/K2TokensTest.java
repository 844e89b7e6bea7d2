package io.github.zklock.faults.check;

import static io.github.zklock.faults.timeline.TimelineBuilder.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class K2TokensTest {

    private final TimelineBuilder events = new TimelineBuilder();

    @Test
    void risingTokensAreFine() {
        events.granted("a", 0, token(1, 0), "s1").sample("a", 0, 10);
        events.granted("b", 100, token(1, 1), "s1").sample("b", 100, 10);
        events.granted("c", 200, token(2, 0), "s2").sample("c", 200, 10);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aLowerTokenThanThatOfAnEarlierGrantIsFound() {
        events.granted("a", 0, 2).sample("a", 0, 10);
        events.granted("b", 100, 1).sample("b", 100, 10);

        assertThat(violations()).singleElement().asString().contains("b#1", "lower");
    }

    @Test
    void aTokenGivenTwiceIsFound() {
        events.granted("a", 0, 1).sample("a", 0, 10);
        events.granted("b", 100, 1).sample("b", 100, 10);

        assertThat(violations()).singleElement().asString().contains("same token");
    }

    @Test
    void tokensOfTwoLocksMayBeEqual() {
        events.held("a", 0, 1, "exclusive@orders", 10).held("b", 100, 1, "exclusive@stock", 10);

        assertThat(violations()).isEmpty();
    }

    @Test
    void grantThatWasNeverHeldHasNoPlaceInTheOrder() {
        events.granted("b", 100, 2).sample("b", 100, 10);
        events.granted("a", 200, 1).sample("a", 200, 0);

        assertThat(violations()).isEmpty();
    }

    @Test
    void grantOnASeatThatAnOperatorHadDeletedHasNoPlaceInTheOrder() {
        events.made(0, 1).made(1, 2).ended(1000, 1, SeatEnd.DELETED);
        events.held("b", 1005, 2, "exclusive", 10).held("a", 1010, 1, "exclusive", 10);

        assertThat(violations()).hasSize(1);

        events.event("operator", 1001, Kind.DELETED, "node", "/base/lock/_c_x-lock-0000000001");

        assertThat(violations()).isEmpty();
    }

    @Test
    void writersAmongReadersAreHeldToTheOrder() {
        events.held("a", 0, 3, "write", 10).held("b", 100, 1, "read", 10);
        events.held("c", 200, 2, "write", 10);

        assertThat(violations()).singleElement().asString().contains("c#1", "a#1", "lower");
    }

    @Test
    void tokensOfReadersAndPermitsAreForTracingOnly() {
        events.held("a", 0, 2, "read", 10).held("b", 100, 2, "read", 10);
        events.held("c", 200, 1, "permits-1-of-3", 10).held("d", 300, 1, "permits-1-of-3", 10);

        assertThat(violations()).isEmpty();
    }

    private List<Violation> violations() {
        return new K2Tokens(events.timeline()).violations();
    }
}
