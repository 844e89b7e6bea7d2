package io.github.zklock.faults.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import org.junit.jupiter.api.Test;

class EventTest {

    @Test
    void whatIsWrittenIsReadAgain() {
        Event event = Event.of("client", -5, Kind.FAILED, "hold message", 1, "two words = a\nmess");

        assertThat(Event.parse(event.toString())).hasValue(event);
    }

    @Test
    void otherOutputIsNoEvent() {
        assertThat(Event.parse("WARNING: something")).isEmpty();
    }

    @Test
    void timesOfAnotherClockAreCorrected() {
        Event sample = Event.of("client", 5, Kind.SAMPLE, "after remaining", 7, 9);

        assertThat(sample.withTimes(nanos -> nanos + 100))
                .isEqualTo(Event.of("client", 105, Kind.SAMPLE, "after remaining", 107, 9));
    }
}
