package io.github.zklock.faults.client;

import io.github.zklock.HandOff;
import io.github.zklock.faults.timeline.Timeline;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** What there is to take locks from, by the name that a variant has for it. */
public final class Engines {

    /** For how long a seat outlives its last turn, where it lingers. */
    public static final Duration LINGER = Duration.ofMillis(500);

    /** The property of a client process that names its engine. */
    static final String PROPERTY = "faults.engine";

    /** The property of a client process that names the policy of its hand-off. */
    static final String HAND_OFF = "faults.hand-off";

    /** The property of a client process that says how it takes its locks. */
    static final String SURFACE = "faults.surface";

    private static final Map<String, Function<ClientConfig, Engine>> ALL = Map.of(
            Timeline.OURS,
            Engines::ours,
            "curator",
            CuratorEngine::new,
            "spring-integration",
            SpringIntegrationEngine::new);

    private Engines() {}

    /** That of this process. */
    static String name() {
        return System.getProperty(PROPERTY, Timeline.OURS);
    }

    static Engine open(ClientConfig config) {
        String name = name();
        Function<ClientConfig, Engine> engine = ALL.get(name);
        if (engine == null) {
            throw new IllegalArgumentException("No engine '" + name + "'; there are " + ALL.keySet());
        }
        return engine.apply(config);
    }

    private static Engine ours(ClientConfig config) {
        String surface = System.getProperty(SURFACE, "registry");
        return switch (surface) {
            case "registry" -> ZkLockEngine.onASharedClient(config, handOff());
            case "future" -> ZkLockEngine.onItsOwnClient(config, handOff());
            case "annotation" -> new AnnotatedEngine(config, handOff());
            default ->
                throw new IllegalArgumentException(
                        "No surface '" + surface + "'; there are registry, future, annotation");
        };
    }

    // small, so that seats change often
    static HandOff handOff() {
        String name = System.getProperty(HAND_OFF, "bounded");
        return switch (name) {
            case "bounded" -> HandOff.bounded(4, Duration.ofMillis(200));
            case "strict" -> HandOff.strict();
            case "linger" -> HandOff.bounded(4, Duration.ofMillis(200)).lingering(LINGER);
            default ->
                throw new IllegalArgumentException("No hand-off '" + name + "'; there are bounded, strict, linger");
        };
    }
}
