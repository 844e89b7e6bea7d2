package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class K6HonestyTest {

    private final HandMade events = new HandMade();

    @Test
    void aReleaseOfASeatThatNobodyTookIsFine() {
        events.granted("a", 0, 1).sample("a", 1, 2000).released("a", 100, "ok").ended(110, 1, SeatEnd.RETURNED);

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

        assertThat(violations()).anyMatch(found -> found.contains("neither its handle nor its release"));
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
    void aLossThatDidNotHappenIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000).lost("a", 50).released("a", 100, "lost");
        events.ended(110, 1, SeatEnd.RETURNED);

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

        assertThat(violations()).anyMatch(found -> found.contains("neither its handle nor its release"));
    }

    private List<String> violations() {
        return new K6Honesty().violations(events.timeline());
    }
}
