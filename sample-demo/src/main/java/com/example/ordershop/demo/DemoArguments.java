package com.example.ordershop.demo;

import com.example.ordershop.demo.process.ProgressListener;
import com.example.ordershop.demo.process.Servers;
import com.example.ordershop.demo.process.ShopCluster;
import com.example.ordershop.demo.scenario.Load;
import com.example.ordershop.demo.scenario.Scenario;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Parsed arguments of the command line.
 *
 * @param runs number of runs of a repeated scenario; empty for its default
 * @param servers external servers; null to start servers
 */
record DemoArguments(
        List<Scenario> scenarios,
        OptionalInt runs,
        Load load,
        @Nullable Servers servers) {

    static final String USAGE = """
            usage: demo [%s, all] [--runs N] [--clients N] [--orders N] [--shops N]
                        [--zookeeper host:port,... --database jdbc:... [--user NAME] [--password TEXT]]""".formatted(Scenario.labels());

    private static final List<String> OPTIONS =
            List.of("--runs", "--clients", "--orders", "--shops", "--zookeeper", "--database", "--user", "--password");

    /** @throws IllegalArgumentException if an argument is invalid; the message states the reason */
    static DemoArguments parse(String... arguments) {
        List<Scenario> scenarios = new ArrayList<>();
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (!argument.startsWith("--")) {
                scenarios.addAll(named(argument));
            } else if (!OPTIONS.contains(argument)) {
                throw new IllegalArgumentException("There is no option " + argument);
            } else if (++i == arguments.length) {
                throw new IllegalArgumentException("Option " + argument + " has no value");
            } else {
                options.put(argument, arguments[i]);
            }
        }
        return new DemoArguments(
                scenarios.isEmpty() ? Scenario.all() : List.copyOf(scenarios),
                options.containsKey("--runs") ? OptionalInt.of(positive(options, "--runs", 1)) : OptionalInt.empty(),
                new Load(
                        positive(options, "--shops", Load.DEFAULT.shops()),
                        positive(options, "--clients", Load.DEFAULT.clients()),
                        positive(options, "--orders", Load.DEFAULT.orders())),
                servers(options));
    }

    int runs(Scenario scenario) {
        return runs.orElse(scenario.runs());
    }

    /** Returns the number of orders of all scenarios. */
    int orders() {
        return scenarios.stream()
                .mapToInt(each -> each.orders(load, runs(each)))
                .sum();
    }

    ShopCluster open(ProgressListener listener) throws InterruptedException {
        return servers == null ? ShopCluster.open(listener) : ShopCluster.on(servers, listener);
    }

    private static List<Scenario> named(String name) {
        return name.equals("all")
                ? Scenario.all()
                : List.of(Scenario.named(name)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "There is no scenario '" + name + "', but " + Scenario.labels() + " and all")));
    }

    private static int positive(Map<String, String> options, String name, int otherwise) {
        String value = options.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.matches("[1-9]\\d{0,3}")) {
            throw new IllegalArgumentException("Option " + name + " is '" + value + "': it must be from 1 to 9999");
        }
        return Integer.parseInt(value);
    }

    private static @Nullable Servers servers(Map<String, String> options) {
        String zookeeper = options.get("--zookeeper");
        String database = options.get("--database");
        if (zookeeper == null && database == null) {
            if (options.containsKey("--user") || options.containsKey("--password")) {
                throw new IllegalArgumentException("--user and --password require --database");
            }
            return null;
        }
        if (zookeeper == null || database == null) {
            throw new IllegalArgumentException("--zookeeper and --database require each other: the"
                    + " database rejects tokens of another ensemble");
        }
        return new Servers(
                zookeeper, database, options.getOrDefault("--user", ""), options.getOrDefault("--password", ""));
    }
}
