package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * L32: what the engine does for one request grows at most with the logarithm of the number of requests, seats and locks
 * of the process. The work is counted, not timed.
 */
class BoundedWorkTest {

    private static final int FEW = 250;
    private static final int MANY = 1_000;
    private static final int MOST = 4_000;
    /** More than the logarithms differ (1.5 from 250 to 4,000), less than a loop over all would take (16). */
    private static final double MOST_GROWTH = 2.2;

    static Stream<Arguments> courses() {
        return Stream.of("strict", "bounded", "lingering")
                .flatMap(handOff -> Stream.of("exclusive", "readers", "writers", "both", "permits", "scarce", "mixed")
                        .flatMap(kind ->
                                List.of("expire", "cancel", "serve", "waited-for", "lapse", "lost", "locks", "try")
                                        .stream()
                                        .map(course -> Arguments.of(handOff, kind, course))));
    }

    @ParameterizedTest
    @MethodSource("courses")
    void workPerRequestGrowsAtMostWithTheLogarithm(String handOff, String kind, String course) throws Exception {
        assertThatWorkIsBounded(handOff, kind, course, MANY);
    }

    @Tag("long-simulation")
    @ParameterizedTest
    @MethodSource("courses")
    void workPerRequestGrowsAtMostWithTheLogarithmUpToThousands(String handOff, String kind, String course)
            throws Exception {
        assertThatWorkIsBounded(handOff, kind, course, MOST);
    }

    private static void assertThatWorkIsBounded(String handOff, String kind, String course, int most) throws Exception {
        Class<?> scenario = new CountedEngine().loadClass(WorkScenario.class.getName());
        Method run = scenario.getDeclaredMethod("run", String.class, String.class, String.class, int.class);
        Method busiest = scenario.getDeclaredMethod("busiest");
        run.setAccessible(true);
        busiest.setAccessible(true);

        try (SimSilence silence = new SimSilence()) {
            long few = (long) run.invoke(null, handOff, kind, course, FEW);
            long many = (long) run.invoke(null, handOff, kind, course, most);

            double growth = (double) many / most * FEW / few;
            assertThat(growth)
                    .as(
                            "%s %s %s: %,d steps for %d requests, %,d for %d, most of them in %s",
                            handOff, kind, course, few, FEW, many, most, busiest.invoke(null))
                    .isLessThan(MOST_GROWTH);
        }
    }
}
