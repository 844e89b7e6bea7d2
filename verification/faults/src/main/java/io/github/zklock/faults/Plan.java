package io.github.zklock.faults;

import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.rig.Java;
import io.github.zklock.faults.rig.Release;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Tier;
import io.github.zklock.faults.stage.Variant;
import io.github.zklock.faults.stage.Variant.Kind;
import io.github.zklock.faults.stage.Variant.Policy;
import io.github.zklock.faults.stage.Variant.Surface;
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
record Plan(Order order, List<Java> javas, List<Release> releases, List<String> classes) {

    private static final int ROUNDS = 3;

    /**
     * What can be played.
     *
     * @throws IllegalArgumentException if nothing of what is asked for can be
     */
    Plan {
        if (!order.variant().isEmpty()) {
            Kind kind = Variant.parse(order.variant(), javas, releases).kind();
            Catalogue.scripts().stream()
                    .filter(order::wants)
                    .filter(script -> !Catalogue.kinds(script).contains(kind))
                    .findFirst()
                    .ifPresent(script -> {
                        throw new IllegalArgumentException(
                                "'%s' is played with %s alone".formatted(script.getName(), Catalogue.kinds(script)));
                    });
        }
        boolean ofPeers = order.mode() == Order.Mode.PEERS || !order.engine().equals(Timeline.OURS);
        if (ofPeers && Catalogue.scripts().stream().noneMatch(script -> order.wants(script) && isForPeers(script))) {
            throw new IllegalArgumentException("no peer can play " + order.scenarios());
        }
    }

    List<Performance> performances() {
        return switch (order.mode()) {
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
    Stream<Performance> drawn() {
        Random random = new Random(order.seed());
        List<Method> scripts = Catalogue.scripts().stream()
                .filter(order::wants)
                .filter(script -> !isOfPeer() || isForPeers(script))
                .toList();
        return Stream.generate(() -> {
            Method script = scripts.get(random.nextInt(scripts.size()));
            long seed = random.nextInt(1 << 16);
            return new Performance(script, variant(script.getAnnotation(FaultScenario.class), random, 0), seed);
        });
    }

    /** The one that is asked for, or all peers. */
    private List<String> engines() {
        return isOfPeer() ? List.of(order.engine()) : Order.ENGINES.subList(1, Order.ENGINES.size());
    }

    private Plan of(String engine) {
        return new Plan(order.with(engine), javas, releases, classes);
    }

    /** The same with clients that have these classes. */
    Plan with(List<String> first) {
        return new Plan(order, javas, releases, first);
    }

    /** A scenario with a kind of lock, and everything else as usual. */
    Performance usual(Method script, Kind kind) {
        FaultScenario scenario = script.getAnnotation(FaultScenario.class);
        Variant variant = new Variant(
                order.engine(),
                scenario.policies()[0],
                kind,
                scenario.surfaces()[0],
                javas.get(0),
                releases.get(0),
                classes);
        return new Performance(script, variant, order.seed());
    }

    private static boolean isForPeers(Method script) {
        return script.getAnnotation(FaultScenario.class).peers();
    }

    private boolean isOfPeer() {
        return !order.engine().equals(Timeline.OURS);
    }

    private List<Performance> round(int round, Tier tier) {
        List<Performance> performances = new ArrayList<>();
        for (Method script : Catalogue.scripts()) {
            FaultScenario scenario = script.getAnnotation(FaultScenario.class);
            boolean wanted = order.scenarios().isEmpty() ? scenario.tier().compareTo(tier) <= 0 : order.wants(script);
            if (wanted && (!isOfPeer() || isForPeers(script))) {
                Random dials = new Random(31 * order.seed() + script.getName().hashCode());
                performances.add(new Performance(script, variant(scenario, dials, round), order.seed() + round));
            }
        }
        // other servers have to be started first, so those of one release play together
        performances.sort(Comparator.comparingInt(
                performance -> releases.indexOf(performance.variant().servers())));
        return performances;
    }

    /**
     * What one is played with.
     *
     * @param dials draws where each of them stands in the first round
     */
    private Variant variant(FaultScenario scenario, Random dials, int round) {
        if (isOfPeer()) {
            return ofPeer();
        }
        if (!order.variant().isEmpty()) {
            return Variant.parse(order.variant(), javas, releases).with(classes);
        }
        return new Variant(
                order.engine(),
                at(List.of(scenario.policies()), dials, round),
                at(List.of(scenario.kinds()), dials, round),
                at(List.of(scenario.surfaces()), dials, round),
                at(javas, dials, round),
                at(releases, dials, round),
                classes);
    }

    /** Policies and annotations are ours alone, and peers are played with what is common to all of them. */
    private Variant ofPeer() {
        return new Variant(
                order.engine(),
                Policy.BOUNDED,
                Kind.EXCLUSIVE,
                Surface.REGISTRY,
                javas.get(0),
                releases.get(0),
                List.of());
    }

    private static <T> T at(List<T> dial, Random dials, int round) {
        return dial.get((dials.nextInt(dial.size()) + round) % dial.size());
    }
}
