package io.github.zklock.faults;

import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.ServerRelease;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variant.Kind;
import io.github.zklock.faults.context.Variant.Policy;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Timeline;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which scenarios are played in which variants. The seed draws where each dial of each scenario stands at first, and each
 * round turns all of them by one, so that three rounds show each scenario each policy, kind, surface, JDK and release of
 * servers, and many seeds all combinations.
 *
 * @param javas the JDKs that there are
 * @param releases the releases of servers that there are
 * @param classes what stands before everything else in the class path of clients
 */
record Plan(RunOptions options, List<Jdk> jdks, List<ServerRelease> releases, List<String> classes) {

    private static final int ROUNDS = 3;

    /**
     * What can be played.
     *
     * @throws IllegalArgumentException if nothing of what is asked for can be
     */
    Plan {
        if (!options.variant().isEmpty()) {
            Kind kind = Variant.parse(options.variant(), jdks, releases).kind();
            Scenarios.all().stream()
                    .filter(options::wants)
                    .filter(scenario -> !Scenarios.kinds(scenario).contains(kind))
                    .findFirst()
                    .ifPresent(scenario -> {
                        throw new IllegalArgumentException("'%s' is played with %s alone"
                                .formatted(scenario.getName(), Scenarios.kinds(scenario)));
                    });
        }
        boolean ofPeers =
                options.mode() == RunOptions.Mode.PEERS || !options.engine().equals(Timeline.OURS);
        if (ofPeers
                && Scenarios.all().stream().noneMatch(scenario -> options.wants(scenario) && isForPeers(scenario))) {
            throw new IllegalArgumentException("no peer can play " + options.scenarios());
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
            default -> round(0, Tier.QUICK);
        };
    }

    /** One drawn after the other, for ever. */
    Stream<ScenarioRun> drawn() {
        Random random = new Random(options.seed());
        List<Method> scenarios = Scenarios.all().stream()
                .filter(options::wants)
                .filter(scenario -> !isOfPeer() || isForPeers(scenario))
                .toList();
        return Stream.generate(() -> {
            Method scenario = scenarios.get(random.nextInt(scenarios.size()));
            long seed = random.nextInt(1 << 16);
            return new ScenarioRun(scenario, variant(scenario.getAnnotation(FaultScenario.class), random, 0), seed);
        });
    }

    /** The one that is asked for, or all peers. */
    private List<String> engines() {
        return isOfPeer() ? List.of(options.engine()) : RunOptions.ENGINES.subList(1, RunOptions.ENGINES.size());
    }

    private Plan of(String engine) {
        return new Plan(options.with(engine), jdks, releases, classes);
    }

    /** The same with clients that have these classes. */
    Plan with(List<String> first) {
        return new Plan(options, jdks, releases, first);
    }

    /** A scenario with a kind of lock, and everything else as usual. */
    ScenarioRun usual(Method scenario, Kind kind) {
        FaultScenario declaration = scenario.getAnnotation(FaultScenario.class);
        Variant variant = new Variant(
                options.engine(),
                declaration.policies()[0],
                kind,
                declaration.surfaces()[0],
                jdks.get(0),
                releases.get(0),
                classes);
        return new ScenarioRun(scenario, variant, options.seed());
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
                runs.add(new ScenarioRun(scenario, variant(declaration, dials, round), options.seed() + round));
            }
        }
        // other servers have to be started first, so those of one release play together
        runs.sort(Comparator.comparingInt(run -> releases.indexOf(run.variant().servers())));
        return runs;
    }

    /**
     * What one is played with.
     *
     * @param dials draws where each of them stands in the first round
     */
    private Variant variant(FaultScenario declaration, Random dials, int round) {
        if (isOfPeer()) {
            return ofPeer();
        }
        if (!options.variant().isEmpty()) {
            return Variant.parse(options.variant(), jdks, releases).with(classes);
        }
        return new Variant(
                options.engine(),
                at(List.of(declaration.policies()), dials, round),
                at(List.of(declaration.kinds()), dials, round),
                at(List.of(declaration.surfaces()), dials, round),
                at(jdks, dials, round),
                at(releases, dials, round),
                classes);
    }

    /** Policies and annotations are ours alone, and peers are played with what is common to all of them. */
    private Variant ofPeer() {
        return new Variant(
                options.engine(),
                Policy.BOUNDED,
                Kind.EXCLUSIVE,
                Surface.REGISTRY,
                jdks.get(0),
                releases.get(0),
                List.of());
    }

    private static <T> T at(List<T> dial, Random dials, int round) {
        return dial.get((dials.nextInt(dial.size()) + round) % dial.size());
    }
}
