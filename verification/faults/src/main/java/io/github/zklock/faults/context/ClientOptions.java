package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.StoppedClock;
import io.github.zklock.faults.cluster.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * What a client process is given besides its place.
 *
 * @param engine whose locks; that of the stage if empty
 * @param options of its JVM
 * @param environment variables of its process
 * @param rightTime makes of a time of its monotonic clock the right one
 */
public record ClientOptions(
        String engine,
        Duration sessionTimeout,
        List<String> options,
        Map<String, String> environment,
        LongUnaryOperator rightTime) {

    /** What our own clients see to by themselves: else the name of each server is asked for, which may take seconds. */
    static final String NO_SASL = "-Dzookeeper.sasl.client=false";

    public static final ClientOptions DEFAULT =
            new ClientOptions("", ScenarioContext.T, List.of(), Map.of(), LongUnaryOperator.identity());

    /** A client whose locks are those of another engine. */
    public static ClientOptions withEngine(String engine) {
        return new ClientOptions(engine, ScenarioContext.T, List.of(), Map.of(), LongUnaryOperator.identity());
    }

    /** A client whose wall clock is this one. */
    public static ClientOptions withClock(WallClock clock) {
        return new ClientOptions("", ScenarioContext.T, List.of(), clock.environment(), LongUnaryOperator.identity());
    }

    /** A client whose clocks may stand still while it is paused. */
    public static ClientOptions withClock(StoppedClock clock) {
        return new ClientOptions("", ScenarioContext.T, List.of(), clock.environment(), clock::rightTime);
    }

    /** A client whose connection was not built by our locks. */
    public static ClientOptions withForeignClient() {
        return withOptions("-Dfaults.foreign-client=true", NO_SASL);
    }

    /** A client whose JVM has these options. */
    public static ClientOptions withOptions(String... options) {
        return new ClientOptions("", ScenarioContext.T, List.of(options), Map.of(), LongUnaryOperator.identity());
    }

    /** The same with a session that lasts for longer than usual. */
    public ClientOptions withSessionTimeout(Duration timeout) {
        return new ClientOptions(engine, timeout, options, environment, rightTime);
    }
}
