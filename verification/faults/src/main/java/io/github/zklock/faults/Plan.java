package io.github.zklock.faults;

import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.ServerRelease;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variant.Kind;
import io.github.zklock.faults.context.Variant.Policy;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.timeline.Timeline;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Chooses the scenarios to run and their variants. A variant has a policy, kind of lock, surface, JDK and server
 * release. The seed selects the first value of each for each scenario, and each round moves all of them to the next
 * value. Three rounds therefore cover each value; many seeds cover the combinations.
 *
 * @param jdks the installed JDKs
 * @param releases the available server releases
 * @param classes entries in front of the class path of clients
 */
record Plan(RunOptions options, List<Jdk> jdks, List<ServerRelease> releases, List<String> classes) {

    private static final int ROUNDS = 3;

    /**
     * Checks that the requested scenarios can run.
     *
     * @throws IllegalArgumentException if a requested variant fits no scenario, or the engine can run none of them
     */
    Plan {
        if (!options.variant().isEmpty()) {
            Kind kind = Variant.parse(options.variant(), jdks, releases).kind();
            Scenarios.all().stream()
                    .filter(options::wants)
                    .filter(scenario -> !Scenarios.kinds(scenario).contains(kind))
                    .findFirst()
                    .ifPresent(scenario -> {
                        throw new IllegalArgumentException(
                                "'%s' runs with %s only".formatted(scenario.getName(), Scenarios.kinds(scenario)));
                    });
        }
        boolean ofPeers =
                options.mode() == RunOptions.Mode.PEERS || !options.engine().equals(Timeline.OURS);
        if (ofPeers
                && Scenarios.all().stream().noneMatch(scenario -> options.wants(scenario) && isForPeers(scenario))) {
            throw new IllegalArgumentException("no other library can run " + options.scenarios());
        }
    }

    List<ScenarioRun> runs() {
        return switch (options.mode()) {
            case SMOKE -> round(0, Tier.SMOKE);
            case PEERS ->
                engines().stream()
                        .map(this::of)
                        .flatMap(plan -> plan.round(0, Tier.ALL).stream())
                        .toList();
            case ALL ->
                IntStream.range(0, ROUNDS)
                        .mapToObj(round -> round(round, Tier.ALL))
                        .flatMap(List::stream)
                        .toList();
            case OVERLOAD -> overload();
            default -> round(0, Tier.QUICK);
        };
    }

    /** Returns all scenarios with load inside one process, with each of their policies. */
    private List<ScenarioRun> overload() {
        return Scenarios.all().stream()
                .filter(scenario -> Scenarios.isOverload(scenario) && options.wants(scenario))
                .filter(scenario -> !isOfPeer() || isForPeers(scenario))
                .flatMap(this::withEachPolicy)
                .toList();
    }

    private Stream<ScenarioRun> withEachPolicy(Method scenario) {
        Variants variants = Variants.Of.scenario(scenario);
        return Stream.of(variants.policies())
                .map(policy -> first(policy, variants.kinds()[0], variants.surfaces()[0]))
                .map(variant -> new ScenarioRun(scenario, variant.with(classes), options.seed()));
    }

    /** Returns randomly drawn runs without end. */
    Stream<ScenarioRun> drawn() {
        Random random = new Random(options.seed());
        List<Method> scenarios = Scenarios.all().stream()
                .filter(options::wants)
                .filter(scenario -> !isOfPeer() || isForPeers(scenario))
                .toList();
        return Stream.generate(() -> {
            Method scenario = scenarios.get(random.nextInt(scenarios.size()));
            long seed = random.nextInt(1 << 16);
            return new ScenarioRun(scenario, variant(scenario, random, 0), seed);
        });
    }

    /** Returns the requested engine, or all engines of other libraries. */
    private List<String> engines() {
        return isOfPeer() ? List.of(options.engine()) : RunOptions.ENGINES.subList(1, RunOptions.ENGINES.size());
    }

    private Plan of(String engine) {
        return new Plan(options.with(engine), jdks, releases, classes);
    }

    /** Returns the same plan for clients that have these entries in front of their class path. */
    Plan with(List<String> first) {
        return new Plan(options, jdks, releases, first);
    }

    /** Returns a run with this kind of lock and the first value of everything else. */
    ScenarioRun usual(Method scenario, Kind kind) {
        Variants variants = Variants.Of.scenario(scenario);
        Variant variant = first(variants.policies()[0], kind, variants.surfaces()[0]);
        return new ScenarioRun(scenario, variant.with(classes), options.seed());
    }

    private static boolean isForPeers(Method scenario) {
        return scenario.getAnnotation(FaultScenario.class).peers();
    }

    private boolean isOfPeer() {
        return !options.engine().equals(Timeline.OURS);
    }

    private List<ScenarioRun> round(int round, Tier tier) {
        List<ScenarioRun> runs = new ArrayList<>();
        for (Method scenario : Scenarios.all()) {
            FaultScenario declaration = scenario.getAnnotation(FaultScenario.class);
            boolean wanted =
                    options.scenarios().isEmpty() ? declaration.tier().compareTo(tier) <= 0 : options.wants(scenario);
            if (wanted && (!isOfPeer() || isForPeers(scenario))) {
                Random dials =
                        new Random(31 * options.seed() + scenario.getName().hashCode());
                runs.add(new ScenarioRun(scenario, variant(scenario, dials, round), options.seed() + round));
            }
        }
        // Restarting servers with another release takes time, so runs on the same release are adjacent.
        runs.sort(Comparator.comparingInt(run -> releases.indexOf(run.variant().servers())));
        return runs;
    }

    /**
     * Chooses the variant of a scenario in a round.
     *
     * @param dials draws the index of each value in the first round
     */
    private Variant variant(Method scenario, Random dials, int round) {
        if (isOfPeer()) {
            // other libraries have no policies and no annotations: the one variant that all of them support
            return first(Policy.BOUNDED, Kind.EXCLUSIVE, Surface.REGISTRY);
        }
        if (!options.variant().isEmpty()) {
            return Variant.parse(options.variant(), jdks, releases).with(classes);
        }
        Variants variants = Variants.Of.scenario(scenario);
        return new Variant(
                options.engine(),
                at(List.of(variants.policies()), dials, round),
                at(List.of(variants.kinds()), dials, round),
                at(List.of(variants.surfaces()), dials, round),
                at(jdks, dials, round),
                at(releases, dials, round),
                classes);
    }

    /** Returns a variant with the first JDK and the first server release. */
    private Variant first(Policy policy, Kind kind, Surface surface) {
        return new Variant(options.engine(), policy, kind, surface, jdks.get(0), releases.get(0), List.of());
    }

    private static <T> T at(List<T> dial, Random dials, int round) {
        return dial.get((dials.nextInt(dial.size()) + round) % dial.size());
    }
}
