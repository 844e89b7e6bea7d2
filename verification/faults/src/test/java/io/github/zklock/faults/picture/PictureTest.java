package io.github.zklock.faults.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.check.Violation;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class PictureTest {

    @Test
    void holdsSeatsFaultsLossesAndViolationsAreDrawn() {
        TimelineBuilder events = new TimelineBuilder()
                .event("holder", 0, Kind.READY, "session", "s1")
                .made(10, 1);
        events.granted("holder", 20, 1).sample("holder", 20, 2000).event("holder", 500, Kind.PAUSED);
        events.ended(3000, 1, SeatEnd.EXPIRED)
                .event("holder", 6000, Kind.RESUMED)
                .lost("holder", 6001);

        String page =
                Picture.of("S1 <of three>", events.timeline(), List.of(new Violation(3_000_000_000L, "K1: two & two")));

        assertThat(page).contains("S1 &lt;of three&gt;", "2.980 s: K1: two &amp; two", "5 s", "prefers-color-scheme");
        assertThat(page).contains("class=\"alone\"", "class=\"fault\"", "class=\"served\"", "class=\"wrong\"");
        assertThat(page).contains(">lock of holder<", ">E<", ">L<", "holder paused");
    }

    @Test
    void aTimelineOnWhichNothingHappenedHasAPageToo() {
        assertThat(Picture.of("S1", new TimelineBuilder().timeline(), List.of()))
                .contains("Nothing happened");
    }
}
