package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Bugs in rooms that the simulation does not play. The tests of the room, run on classes with the bug, have to fail.
 * Three classes have a part of the bugs each, so that Surefire's processes share the work.
 */
@Tag("planted-bugs")
abstract class PlantedRooms {

    private static final PlantCompiler COMPILER = new PlantCompiler(Path.of("src", "main", "java"));
    private static final Set<String> PASSED = ConcurrentHashMap.newKeySet();

    @ParameterizedTest
    @MethodSource("bugs")
    void bugIsFoundByTheTestsOfItsRoom(RoomPlant planted) throws Exception {
        Map<String, byte[]> classes = COMPILER.compile(planted.bug());

        List<String> failed = failures(classes, planted.test(), planted.method());
        if (failed.isEmpty()) {
            failed = failures(classes, planted.test(), "");
        }
        if (!failed.contains(planted.method())) {
            System.out.println("planted " + planted + ": not shown by " + planted.method() + ", but by " + failed
                    + ": store one of these");
        }

        assertThat(failed).as("tests of %s that fail", planted.test()).isNotEmpty();
        assertPassesWithoutABug(planted.test(), failed.get(0));
    }

    private static void assertPassesWithoutABug(String test, String method) throws Exception {
        // several bugs have the same killer
        if (PASSED.add(test + "#" + method)) {
            assertThat(failures(Map.of(), test, method))
                    .as("failures of %s without the bug", method)
                    .isEmpty();
        }
    }

    /** @param method the only test to run; all tests of the class if there is none of this name */
    private static List<String> failures(Map<String, byte[]> planted, String test, String method) throws Exception {
        Class<?> tests = new PlantedLoader(planted).loadClass(PlantCompiler.PACKAGE + ".internal." + test);
        DiscoverySelector selector = Stream.of(tests.getDeclaredMethods())
                .filter(each -> each.getName().equals(method))
                .<DiscoverySelector>map(each -> selectMethod(tests, each))
                .findFirst()
                .orElse(selectClass(tests));
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selector).build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        assertThat(summary.getTestsStartedCount())
                .as("tests of %s %s", test, method)
                .isPositive();
        return summary.getFailures().stream()
                .flatMap(failure -> failure.getTestIdentifier().getSource().stream())
                .map(source -> source instanceof org.junit.platform.engine.support.descriptor.MethodSource failed
                        ? failed.getMethodName()
                        : "all tests")
                .toList();
    }
}
