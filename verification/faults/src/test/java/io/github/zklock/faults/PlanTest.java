package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.ServerRelease;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variants;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {

    private static final List<Jdk> JAVAS = List.of(new Jdk(17, Path.of("17")), new Jdk(25, Path.of("25")));
    private static final List<ServerRelease> RELEASES =
            List.of(new ServerRelease("new", List.of()), new ServerRelease("old", List.of()));

    @Test
    void allCoversEachVariantOfAScenario() {
        List<ScenarioRun> runs = plan("all").runs();

        for (Method scenario : Scenarios.all()) {
            Variants declaration = Variants.Of.scenario(scenario);
            assertThat(seen(runs, scenario, Variant::policy)).containsExactlyInAnyOrder(declaration.policies());
            assertThat(seen(runs, scenario, Variant::kind)).containsExactlyInAnyOrder(declaration.kinds());
            assertThat(seen(runs, scenario, Variant::surface)).containsExactlyInAnyOrder(declaration.surfaces());
            assertThat(seen(runs, scenario, Variant::jdk)).containsExactlyInAnyOrderElementsOf(JAVAS);
            assertThat(seen(runs, scenario, Variant::servers)).containsExactlyInAnyOrderElementsOf(RELEASES);
        }
    }

    @Test
    void eachValueOfAVariantIsDrawnIndependently() {
        List<ScenarioRun> runs = IntStream.range(0, 20)
                .mapToObj(Integer::toString)
                .flatMap(seed -> plan("quick", "--seed", seed).runs().stream())
                .toList();

        assertThat(runs)
                .extracting(executed ->
                        executed.variant().policy() + " " + executed.variant().kind())
                .contains("STRICT EXCLUSIVE", "LINGER READ_WRITE", "BOUNDED SEMAPHORE", "LINGER EXCLUSIVE");
        assertThat(runs)
                .extracting(executed ->
                        executed.variant().surface() + " " + executed.variant().jdk())
                .contains("REGISTRY 17", "REGISTRY 25", "ANNOTATION 17", "ANNOTATION 25");
    }

    @Test
    void smokeAndQuickRunTheirScenariosOnce() {
        assertThat(plan("smoke").runs())
                .isNotEmpty()
                .allMatch(run -> run.declaration().tier() == Tier.SMOKE)
                .doesNotHaveDuplicates();
        assertThat(plan("quick").runs())
                .extracting(ScenarioRun::scenario)
                .containsExactlyInAnyOrderElementsOf(Scenarios.all().stream()
                        .filter(scenario ->
                                scenario.getAnnotation(FaultScenario.class).tier() != Tier.ALL)
                        .toList());
    }

    @Test
    void serversAreChangedOnceInARound() {
        assertThat(plan("quick").runs())
                .extracting(run -> run.variant().servers())
                .isSortedAccordingTo(Comparator.comparingInt(RELEASES::indexOf));
    }

    @Test
    void theSmokeTestHasTheScenariosThatItIsKnownFor() {
        assertThat(plan("smoke").runs())
                .extracting(ScenarioRun::id)
                .containsOnly("L32", "L35", "S1", "S3", "S5", "S7", "S19", "S22", "S31", "S35");
    }

    @Test
    void overloadRunsEachOfItsScenariosWithEachOfItsPolicies() {
        List<ScenarioRun> runs = plan("overload", "--seed", "9").runs();

        assertThat(runs).extracting(ScenarioRun::id).containsOnly("L32", "L33", "L34", "L35", "M34");
        for (Method scenario :
                runs.stream().map(ScenarioRun::scenario).distinct().toList()) {
            assertThat(seen(runs, scenario, Variant::policy))
                    .containsExactlyInAnyOrder(Variants.Of.scenario(scenario).policies());
        }
        assertThat(runs).doesNotHaveDuplicates();
    }

    @Test
    void theSameSeedDrawsTheSame() {
        List<ScenarioRun> once =
                plan("soak", "1", "--seed", "3").drawn().limit(20).toList();

        assertThat(plan("soak", "1", "--seed", "3").drawn().limit(20)).isEqualTo(once);
        assertThat(plan("soak", "1", "--seed", "4").drawn().limit(20)).isNotEqualTo(once);
    }

    @Test
    void wordsOfAVariantRepeatTheRun() {
        ScenarioRun executed = plan("all", "--seed", "5").runs().get(70);

        assertThat(plan(
                                "--scenario",
                                executed.name(),
                                "--seed",
                                "" + executed.seed(),
                                "--variant",
                                "" + executed.variant())
                        .runs())
                .containsExactly(executed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "strict",
                "zklock strict exclusive registry java 17",
                "zklock kind exclusive registry java 17 zookeeper new",
                "zklock strict exclusive registry java 11 zookeeper new",
                "curator strict exclusive registry java 17 zookeeper new",
                "zklock strict semaphore registry java 17 zookeeper new"
            })
    void unknownVariantIsRejected(String variant) {
        String scenario = "aWriterThatBecomesAReaderKeepsWritersOut";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan("--scenario", scenario, "--variant", variant))
                .withMessageContaining("'");
    }

    @Test
    void scenarioThatNoOtherLibraryCanRunIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan("--engine", "curator", "--scenario", "S20"))
                .withMessage("no other library can run [S20]");
    }

    private static Plan plan(String... words) {
        return new Plan(RunOptions.parse(List.of(words)), JAVAS, RELEASES, List.of());
    }

    private static <T> Set<T> seen(List<ScenarioRun> runs, Method scenario, Function<Variant, T> dial) {
        return runs.stream()
                .filter(run -> run.scenario().equals(scenario))
                .map(run -> dial.apply(run.variant()))
                .collect(Collectors.toSet());
    }
}
