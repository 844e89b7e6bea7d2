package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.StoppedClock;
import io.github.zklock.faults.cluster.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * The options of a client process.
 *
 * @param engine whose locks to use; that of the variant if empty
 * @param options options of its JVM
 * @param environment further environment variables of its process
 * @param rightTime converts a time of the client's monotonic clock to the right time
 */
public record ClientOptions(
        String engine,
        Duration sessionTimeout,
        List<String> options,
        Map<String, String> environment,
        LongUnaryOperator rightTime) {

    /**
     * Stops ZooKeeper's client from resolving the name of each server for SASL, which may take seconds. Our own clients
     * do so by themselves.
     */
    static final String NO_SASL = "-Dzookeeper.sasl.client=false";

    public static final ClientOptions DEFAULT =
            new ClientOptions("", ScenarioContext.T, List.of(), Map.of(), LongUnaryOperator.identity());

    /** Returns options for the locks of another engine. */
    public static ClientOptions withEngine(String engine) {
        return new ClientOptions(engine, ScenarioContext.T, List.of(), Map.of(), LongUnaryOperator.identity());
    }

    /** Returns options for a client with this wall clock. */
    public static ClientOptions withClock(WallClock clock) {
        return new ClientOptions("", ScenarioContext.T, List.of(), clock.environment(), LongUnaryOperator.identity());
    }

    /** Returns options for a client whose clocks can stand still while it is paused. */
    public static ClientOptions withClock(StoppedClock clock) {
        return new ClientOptions("", ScenarioContext.T, List.of(), clock.environment(), clock::rightTime);
    }

    /** Returns options for a client whose connection our library did not build. */
    public static ClientOptions withForeignClient() {
        return withOptions("-Dfaults.foreign-client=true", NO_SASL);
    }

    /** Returns options for a client with further JVM options. */
    public static ClientOptions withOptions(String... options) {
        return new ClientOptions("", ScenarioContext.T, List.of(options), Map.of(), LongUnaryOperator.identity());
    }

    /** Returns the same options with another session timeout. */
    public ClientOptions withSessionTimeout(Duration timeout) {
        return new ClientOptions(engine, timeout, options, environment, rightTime);
    }
}
