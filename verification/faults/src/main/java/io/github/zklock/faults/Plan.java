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
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which scenarios are played in which variants. Each round turns all dials by one, so that three rounds show each
 * scenario each policy, kind, surface, JDK and release of servers.
 *
 * @param javas the JDKs that there are
 * @param releases the releases of servers that there are
 * @param classes what stands before everything else in the class path of clients
 */
record Plan(Order order, List<Java> javas, List<Release> releases, List<String> classes) {

    private static final int ROUNDS = 3;

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
                .filter(script ->
                        !isOfPeer() || script.getAnnotation(FaultScenario.class).peers())
                .toList();
        return Stream.generate(() -> {
            Method script = scripts.get(random.nextInt(scripts.size()));
            int turn = random.nextInt(1 << 16);
            return new Performance(script, variant(script.getAnnotation(FaultScenario.class), turn), turn);
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
        Surface surface = script.getAnnotation(FaultScenario.class).surfaces()[0];
        Variant variant =
                new Variant(order.engine(), Policy.BOUNDED, kind, surface, javas.get(0), releases.get(0), classes);
        return new Performance(script, variant, order.seed());
    }

    private boolean isOfPeer() {
        return !order.engine().equals(Timeline.OURS);
    }

    private List<Performance> round(int round, Tier tier) {
        List<Performance> performances = new ArrayList<>();
        for (Method script : Catalogue.scripts()) {
            FaultScenario scenario = script.getAnnotation(FaultScenario.class);
            boolean wanted = order.scenarios().isEmpty() ? scenario.tier().compareTo(tier) <= 0 : order.wants(script);
            if (wanted && (scenario.peers() || !isOfPeer())) {
                int turn = turn(script) + round;
                performances.add(new Performance(script, variant(scenario, turn), turn));
            }
        }
        return performances;
    }

    /** @param turn how far all dials are turned */
    Variant variant(FaultScenario scenario, int turn) {
        if (isOfPeer()) {
            return ofPeer();
        }
        return new Variant(
                order.engine(),
                at(List.of(Policy.values()), turn),
                at(List.of(scenario.kinds()), turn),
                at(List.of(scenario.surfaces()), turn),
                at(javas, turn),
                // the turn before: not always the same release with the same JDK
                at(releases, turn / 2),
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

    private int turn(Method script) {
        return Math.floorMod(order.seed() + Catalogue.scripts().indexOf(script), 1 << 16);
    }

    private static <T> T at(List<T> dial, int turn) {
        return dial.get(turn % dial.size());
    }
}
