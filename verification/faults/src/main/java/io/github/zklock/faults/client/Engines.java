package io.github.zklock.faults.client;

import io.github.zklock.HandOff;
import io.github.zklock.faults.timeline.Timeline;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** The engines, by the name that a variant has for them. */
public final class Engines {

    /** The linger time of the variant {@code linger}. */
    public static final Duration LINGER = Duration.ofMillis(500);

    /** The property of a client process with the name of its engine. */
    static final String PROPERTY = "faults.engine";

    /** The property of a client process with its hand-off policy. */
    static final String HAND_OFF = "faults.hand-off";

    /** The property of a client process with its surface. */
    static final String SURFACE = "faults.surface";

    private static final Map<String, Function<ClientConfig, Engine>> ALL = Map.of(
            Timeline.OURS,
            Engines::ours,
            "curator",
            CuratorEngine::new,
            "spring-integration",
            SpringIntegrationEngine::new);

    private Engines() {}

    /** Returns the name of the engine of this process. */
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

    // small limits, so that seats change often
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
