package io.github.zklock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.FencingToken;
import io.github.zklock.LockEvent;
import io.github.zklock.LockName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventMetersTest {

    private static final LockName NAME = LockName.of("/orders/1");
    private static final FencingToken TOKEN = new FencingToken(7);
    private static final Duration TIME = Duration.ofMillis(3);

    static Stream<Arguments> eventsWithTheirMeters() {
        return Stream.of(
                Arguments.of(new LockEvent.Queued(NAME), List.of()),
                Arguments.of(
                        new LockEvent.Acquired(NAME, TOKEN, TIME, false),
                        List.of("zklock.acquisitions acquired", "zklock.turns new")),
                Arguments.of(
                        new LockEvent.Acquired(NAME, TOKEN, TIME, true),
                        List.of("zklock.acquisitions acquired", "zklock.turns kept")),
                Arguments.of(new LockEvent.Released(NAME, TOKEN, TIME), List.of("zklock.holds")),
                Arguments.of(new LockEvent.TimedOut(NAME, TIME), List.of("zklock.acquisitions timeout")),
                Arguments.of(new LockEvent.Unavailable(NAME, TIME), List.of("zklock.acquisitions unavailable")),
                Arguments.of(new LockEvent.Suspended(NAME, TOKEN), List.of("zklock.suspensions")),
                Arguments.of(new LockEvent.Resumed(NAME, TOKEN), List.of()),
                Arguments.of(new LockEvent.Lost(NAME, TOKEN, "reason"), List.of("zklock.losses")),
                Arguments.of(new LockEvent.HeldLong(NAME, TOKEN, TIME, "holder"), List.of("zklock.long.holds")),
                Arguments.of(new LockEvent.Leaked(NAME, TOKEN), List.of("zklock.leaks")),
                Arguments.of(new LockEvent.Deadlocked(NAME, "a circle", false), List.of("zklock.deadlocks")));
    }

    @ParameterizedTest
    @MethodSource("eventsWithTheirMeters")
    void anEventIsCountedOnceByEachOfItsMeters(LockEvent event, List<String> expected) {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();

        new EventMeters(meters, "locks", new LockGroups(List.of("/orders/**"))).onEvent(event);

        assertThat(meters.getMeters())
                .filteredOn(meter -> counted(meter) > 0)
                .allSatisfy(meter -> assertThat(counted(meter)).isEqualTo(1))
                .allSatisfy(meter -> assertThat(meter.getId().getTag("lock")).isEqualTo("/orders/**"))
                .extracting(EventMetersTest::describe)
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static double counted(Meter meter) {
        // a timer and a counter begin with their count
        return meter.measure().iterator().next().getValue();
    }

    private static String describe(Meter meter) {
        String outcome = meter.getId().getTag("outcome");
        String seat = meter.getId().getTag("seat");
        return Stream.of(meter.getId().getName(), outcome, seat)
                .filter(part -> part != null)
                .reduce((a, b) -> a + " " + b)
                .orElseThrow();
    }
}
