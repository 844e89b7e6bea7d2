package io.github.zklock.faults;

import static io.github.zklock.faults.HandMade.token;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class K5SeatsTest {

    private final HandMade events = new HandMade();

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

    private List<String> violations() {
        return new K5Seats().violations(events.timeline());
    }
}
