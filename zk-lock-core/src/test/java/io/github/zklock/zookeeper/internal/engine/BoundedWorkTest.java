package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.engine.Plant.Edit;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * L32: what the engine does for one request grows at most with the logarithm of the number of requests, seats and locks
 * of the process. The work is counted, not timed.
 */
class BoundedWorkTest {

    /** What the engine does for so few requests is subtracted: most of it depends on the time that passes. */
    private static final int FEWEST = 10;

    private static final int FEW = 250;
    private static final int MANY = 1_000;
    private static final int MOST = 4_000;
    /** Less than one loop over all would take, which does nothing but turn. */
    private static final double MOST_GROWTH = 1.1;
    /** The same for hundreds of requests, of whose work the part for the time that passes is large. */
    private static final double MOST_GROWTH_OF_HUNDREDS = 1.2;
    /**
     * The same for {@link #MOST} requests, which may take another course: of many permits, more are asked for again behind
     * another process.
     */
    private static final double MOST_GROWTH_OF_THOUSANDS = 2;

    /** The engine as it is; one for all courses, so that it is compiled once. */
    private static CountedEngine counted;

    @BeforeAll
    static void load() {
        counted = new CountedEngine(Map.of());
    }

    static Stream<Arguments> courses() {
        return Stream.of("strict", "bounded", "lingering")
                .flatMap(handOff -> Stream.of("exclusive", "readers", "writers", "both", "permits", "scarce", "mixed")
                        .flatMap(kind -> Stream.of(
                                        "expire",
                                        "expire-in-a-crowd",
                                        "cancel",
                                        "serve",
                                        "waited-for",
                                        "re-enter",
                                        "together",
                                        "lapse",
                                        "lost",
                                        "locks",
                                        "try")
                                .filter(course -> !takesSeatsInTurn(handOff, kind, course))
                                .map(course -> Arguments.of(handOff, kind, course))));
    }

    /**
     * Returns whether each request that ends makes the process leave its seat and take another one, for readers or for
     * writers: each new seat behind a crowd costs a listing of the crowd, to determine its place.
     */
    private static boolean takesSeatsInTurn(String handOff, String kind, String course) {
        return course.equals("expire-in-a-crowd") && kind.equals("both") && !handOff.equals("strict");
    }

    /** Each kind with the default hand-off, and exclusive locks with the others. */
    static Stream<Arguments> shortCourses() {
        return courses().filter(course -> course.get()[0].equals("bounded") || course.get()[1].equals("exclusive"));
    }

    @Tag("short-simulation")
    @ParameterizedTest
    @MethodSource("shortCourses")
    void workPerRequestGrowsAtMostWithTheLogarithm(String handOff, String kind, String course) throws Exception {
        assertThatWorkIsBounded(handOff, kind, course, 100, 400, MOST_GROWTH_OF_HUNDREDS);
    }

    @Tag("long-simulation")
    @ParameterizedTest
    @MethodSource("courses")
    void workPerRequestGrowsAtMostWithTheLogarithmUpToAThousand(String handOff, String kind, String course)
            throws Exception {
        assertThatWorkIsBounded(handOff, kind, course, FEW, MANY, MOST_GROWTH);
    }

    /** Each hand-off, kind and course with a large queue once: these take ten seconds each. */
    static Stream<Arguments> longCourses() {
        return Stream.of(
                Arguments.of("strict", "exclusive", "expire"),
                Arguments.of("bounded", "exclusive", "waited-for"),
                Arguments.of("bounded", "scarce", "waited-for"),
                Arguments.of("strict", "mixed", "cancel"),
                Arguments.of("lingering", "both", "lost"),
                Arguments.of("strict", "permits", "lapse"));
    }

    @Tag("long-simulation")
    @ParameterizedTest
    @MethodSource("longCourses")
    void workPerRequestGrowsAtMostWithTheLogarithmUpToThousands(String handOff, String kind, String course)
            throws Exception {
        assertThatWorkIsBounded(handOff, kind, course, MANY, MOST, MOST_GROWTH_OF_THOUSANDS);
    }

    private static void assertThatWorkIsBounded(
            String handOff, String kind, String course, int few, int many, double limit) throws Exception {
        Growth growth = growth(counted, handOff, kind, course, few, many);

        assertThat(growth.factor()).as(growth.toString()).isLessThan(limit);
    }

    static Stream<Arguments> loops() {
        return Stream.of(
                Arguments.of(
                        "permits",
                        "waited-for",
                        Edit.begin("LocalQueue.viewChanged", "for (SeatUse each : seats.all()) { each.isUsed(); }")),
                Arguments.of(
                        "exclusive",
                        "expire",
                        Edit.begin("LocalQueue.expire", "for (Claim each : occupancy.waiting()) { each.isOpen(); }")),
                Arguments.of(
                        "exclusive", "expire-in-a-crowd", Edit.delete("QueueView.othersBefore", "count == most ||")),
                Arguments.of(
                        "exclusive", "cancel", Edit.begin("LocalQueue.withdraw", "List.copyOf(occupancy.waiting());")));
    }

    /** One for each event of the servers, one for each deadline, and one inside a collection of the JDK. */
    @Tag("planted-bugs")
    @ParameterizedTest
    @MethodSource("loops")
    void plantedLoopOverAllIsFound(String kind, String course, Edit loop) throws Exception {
        Map<String, byte[]> planted =
                new PlantCompiler(Path.of("src", "main", "java")).compile(new Plant("loop", loop));

        Growth growth = growth(new CountedEngine(planted), "strict", kind, course, FEW, MANY);

        assertThat(growth.factor()).as(growth.toString()).isGreaterThan(MOST_GROWTH);
    }

    /** How the work for one request has grown from few requests to many. */
    private record Growth(long fixed, int few, long steps, int many, long more, String busiest) {

        double factor() {
            return perRequest(many, more) / perRequest(few, steps);
        }

        private double perRequest(int requests, long all) {
            return (double) (all - fixed) / (requests - FEWEST);
        }

        @Override
        public String toString() {
            return "%,d steps for %,d requests, %,d for %,d, most of them in %s"
                    .formatted(steps, few, more, many, busiest);
        }
    }

    private static Growth growth(CountedEngine engine, String handOff, String kind, String course, int few, int many)
            throws Exception {
        Class<?> scenario = engine.loadClass(WorkScenario.class.getName());
        Method run = scenario.getDeclaredMethod("run", String.class, String.class, String.class, int.class);
        Method busiest = scenario.getDeclaredMethod("busiest");
        run.setAccessible(true);
        busiest.setAccessible(true);
        try (SimSilence silence = new SimSilence()) {
            long fixed = (long) run.invoke(null, handOff, kind, course, FEWEST);
            long steps = (long) run.invoke(null, handOff, kind, course, few);
            long more = (long) run.invoke(null, handOff, kind, course, many);
            return new Growth(fixed, few, steps, many, more, (String) busiest.invoke(null));
        }
    }
}
