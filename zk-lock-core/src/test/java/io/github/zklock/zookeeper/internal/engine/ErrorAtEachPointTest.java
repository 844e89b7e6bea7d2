package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.fixture.Leftovers;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * L26: an Error at any call and at any allocation of the engine, once or until the engine returns to its caller, leaves
 * nobody waiting, nothing held by nobody, and nothing behind; and the engine goes on.
 */
class ErrorAtEachPointTest {

    /** Each how many points one fails; 1 sweeps all, in minutes. */
    private static final int STRIDE = Integer.getInteger("error.points.stride", 499);

    private static final int WIDE_STRIDE = 4 * STRIDE;
    /** The classes of the steps that run on threads of the library, but not on the loop. */
    private static final String STEPS = "(Job|AllOf|AsyncGathering|CallerFuture|Steps)(\\$.*)?";

    private static final int REGISTRY_STRIDE = Integer.getInteger("error.registry.stride", 3);

    @Tag("short-simulation")
    @ParameterizedTest
    @CsvSource({
        "strict, exclusive", "bounded, exclusive", "lingering, exclusive",
        "strict, readers", "bounded, readers", "lingering, readers",
        "strict, permits", "bounded, permits", "lingering, permits",
        "strict, together", "bounded, together", "lingering, together",
    })
    void theEngineComesToRestAfterAnErrorAtSomePoints(String handOff, String demands) throws Exception {
        assertThatTheEngineComesToRest(handOff, demands, WIDE_STRIDE);
    }

    @Tag("long-simulation")
    @ParameterizedTest
    @CsvSource({
        "strict, exclusive", "bounded, exclusive", "lingering, exclusive",
        "strict, readers", "bounded, readers", "lingering, readers",
        "strict, permits", "bounded, permits", "lingering, permits",
        "strict, together", "bounded, together", "lingering, together",
    })
    void theEngineComesToRestAfterAnError(String handOff, String demands) throws Exception {
        assertThatTheEngineComesToRest(handOff, demands, STRIDE);
    }

    @Test
    void aRegistryWhoseStartOrCloseAnErrorHasInterruptedLeavesNoThread() throws Exception {
        Method run = new ErrorPoints()
                .loadClass(ErrorRegistryScenario.class.getName())
                .getDeclaredMethod("run", long.class);
        run.setAccessible(true);
        List<String> failures = new ArrayList<>();
        long points = 0;

        try (SimSilence silence = new SimSilence()) {
            for (long point = 1; ; point += REGISTRY_STRIDE) {
                String result = (String) run.invoke(null, point);
                if (result.equals(ErrorScenario.DONE)) {
                    break;
                }
                points++;
                if (!result.equals(ErrorScenario.GOOD)) {
                    failures.add(point + ": " + result);
                }
            }
        }

        assertThat(points).isGreaterThan(200 / REGISTRY_STRIDE);
        assertThat(failures).isEmpty();
        // nor does a registry that did not start, which cannot be closed
        Leftovers.assertNoThreads();
    }

    @ParameterizedTest
    @CsvSource({"job", "job not due", "all of", "all of refused"})
    void eachStepOutsideOfTheLoopIsAnsweredAndLeavesNothingHeld(String feature) throws Exception {
        Method run = new ErrorPoints(name -> name.matches(STEPS))
                .loadClass(ErrorStepsScenario.class.getName())
                .getDeclaredMethod("run", String.class, long.class);
        run.setAccessible(true);
        List<String> failures = new ArrayList<>();
        long points = 0;

        try (SimSilence silence = new SimSilence()) {
            for (String result = ""; !result.equals(ErrorScenario.DONE); ) {
                result = (String) run.invoke(null, feature, ++points);
                if (!result.equals(ErrorScenario.GOOD) && !result.equals(ErrorScenario.DONE)) {
                    failures.add(points + ": " + result);
                }
            }
        }

        assertThat(points).isGreaterThan(20);
        assertThat(failures).isEmpty();
    }

    private static void assertThatTheEngineComesToRest(String handOff, String demands, int stride) throws Exception {
        Method run = new ErrorPoints()
                .loadClass(ErrorScenario.class.getName())
                .getDeclaredMethod("run", String.class, String.class, long.class, boolean.class);
        run.setAccessible(true);
        List<String> failures = new ArrayList<>();
        long points = 0;

        try (SimSilence silence = new SimSilence()) {
            for (boolean lasting : new boolean[] {false, true}) {
                for (long point = 1; ; point += stride) {
                    String result = (String) run.invoke(null, handOff, demands, point, lasting);
                    if (result.equals(ErrorScenario.DONE)) {
                        break;
                    }
                    points++;
                    if (!result.equals(ErrorScenario.GOOD)) {
                        failures.add((lasting ? "lasting " : "once ") + point + ": " + result);
                    }
                }
            }
        }

        assertThat(points).isGreaterThan(9_000 / stride);
        assertThat(failures).isEmpty();
    }
}
