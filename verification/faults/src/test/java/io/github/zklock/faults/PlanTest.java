package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.faults.rig.Java;
import io.github.zklock.faults.rig.Release;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Tier;
import io.github.zklock.faults.stage.Variant;
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

    private static final List<Java> JAVAS = List.of(new Java(17, Path.of("17")), new Java(25, Path.of("25")));
    private static final List<Release> RELEASES = List.of(new Release("new", List.of()), new Release("old", List.of()));

    @Test
    void allShowsEachScenarioEverythingThatItCanBePlayedWith() {
        List<Performance> performances = plan("all").performances();

        for (Method script : Catalogue.scripts()) {
            FaultScenario scenario = script.getAnnotation(FaultScenario.class);
            assertThat(seen(performances, script, Variant::policy)).containsExactlyInAnyOrder(scenario.policies());
            assertThat(seen(performances, script, Variant::kind)).containsExactlyInAnyOrder(scenario.kinds());
            assertThat(seen(performances, script, Variant::surface)).containsExactlyInAnyOrder(scenario.surfaces());
            assertThat(seen(performances, script, Variant::java)).containsExactlyInAnyOrderElementsOf(JAVAS);
            assertThat(seen(performances, script, Variant::servers)).containsExactlyInAnyOrderElementsOf(RELEASES);
        }
    }

    @Test
    void anySeedTurnsTheDialsApart() {
        List<Performance> performances = IntStream.range(0, 20)
                .mapToObj(Integer::toString)
                .flatMap(seed -> plan("quick", "--seed", seed).performances().stream())
                .toList();

        assertThat(performances)
                .extracting(played ->
                        played.variant().policy() + " " + played.variant().kind())
                .contains("STRICT EXCLUSIVE", "LINGER READ_WRITE", "BOUNDED SEMAPHORE", "LINGER EXCLUSIVE");
        assertThat(performances)
                .extracting(played ->
                        played.variant().surface() + " " + played.variant().java())
                .contains("REGISTRY 17", "REGISTRY 25", "ANNOTATION 17", "ANNOTATION 25");
    }

    @Test
    void smokeAndQuickPlayTheirScenariosOnce() {
        assertThat(plan("smoke").performances())
                .isNotEmpty()
                .allMatch(performance -> performance.scenario().tier() == Tier.SMOKE)
                .doesNotHaveDuplicates();
        assertThat(plan("quick").performances())
                .extracting(Performance::script)
                .containsExactlyInAnyOrderElementsOf(Catalogue.scripts().stream()
                        .filter(script ->
                                script.getAnnotation(FaultScenario.class).tier() != Tier.ALL)
                        .toList());
    }

    @Test
    void serversAreChangedOnceInARound() {
        assertThat(plan("quick").performances())
                .extracting(performance -> performance.variant().servers())
                .isSortedAccordingTo(Comparator.comparingInt(RELEASES::indexOf));
    }

    @Test
    void theSmokeTestHasTheScenariosThatItIsKnownFor() {
        assertThat(plan("smoke").performances())
                .extracting(Performance::id)
                .containsOnly("S1", "S3", "S5", "S7", "S19", "S22");
    }

    @Test
    void theSameSeedDrawsTheSame() {
        List<Performance> once =
                plan("soak", "1", "--seed", "3").drawn().limit(20).toList();

        assertThat(plan("soak", "1", "--seed", "3").drawn().limit(20)).isEqualTo(once);
        assertThat(plan("soak", "1", "--seed", "4").drawn().limit(20)).isNotEqualTo(once);
    }

    @Test
    void theWordsOfAPerformancePlayItAgain() {
        Performance played = plan("all", "--seed", "5").performances().get(70);

        assertThat(plan("--scenario", played.name(), "--seed", "" + played.seed(), "--variant", "" + played.variant())
                        .performances())
                .containsExactly(played);
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
    void aVariantThatThereIsNotIsRefused(String variant) {
        String script = "aWriterThatBecomesAReaderKeepsWritersOut";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan("--scenario", script, "--variant", variant))
                .withMessageContaining("'");
    }

    @Test
    void whatNoPeerCanPlayIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan("--engine", "curator", "--scenario", "S20"))
                .withMessage("no peer can play [S20]");
    }

    private static Plan plan(String... words) {
        return new Plan(Order.parse(List.of(words)), JAVAS, RELEASES, List.of());
    }

    private static <T> Set<T> seen(List<Performance> performances, Method script, Function<Variant, T> dial) {
        return performances.stream()
                .filter(performance -> performance.script().equals(script))
                .map(performance -> dial.apply(performance.variant()))
                .collect(Collectors.toSet());
    }
}
