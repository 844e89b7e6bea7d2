package com.example.ordershop.demo;

import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.ShopCluster;
import com.example.ordershop.demo.scenario.Scenario;
import com.example.ordershop.demo.scenario.Verdict;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Main class of the {@code demo} command, and its parsed arguments.
 *
 * @param runs number of runs of a repeated scenario; empty for its default
 */
record DemoCommand(List<Scenario> scenarios, OptionalInt runs) {

    static final String USAGE = "usage: demo [%s, all] [--runs N]".formatted(Scenario.labels());

    /** Runs the scenarios of the arguments. Exit code: 0 if all pass, 1 if one fails, 2 if an argument is invalid. */
    public static void main(String[] arguments) {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", ShopCluster.LOGGING);
        }
        System.exit(run(arguments, System.out, System.err));
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        DemoCommand command;
        try {
            command = parse(arguments);
        } catch (IllegalArgumentException wrong) {
            err.println(wrong.getMessage());
            err.println(USAGE);
            return 2;
        }
        try {
            return command.runAll(out);
        } catch (ScenarioException failed) {
            out.println("FAILED: " + failed.getMessage());
        } catch (InterruptedException e) {
            out.println("FAILED: interrupted");
        }
        return 1;
    }

    /** @throws IllegalArgumentException if an argument is invalid; the message states the reason */
    static DemoCommand parse(String... arguments) {
        List<Scenario> scenarios = new ArrayList<>();
        OptionalInt runs = OptionalInt.empty();
        Iterator<String> rest = List.of(arguments).iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            if (argument.equals("all")) {
                scenarios.addAll(List.of(Scenario.values()));
            } else if (!argument.startsWith("--")) {
                scenarios.add(Scenario.named(argument)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "There is no scenario '" + argument + "', but " + Scenario.labels() + " and all")));
            } else if (!argument.equals("--runs")) {
                throw new IllegalArgumentException("There is no option " + argument);
            } else if (!rest.hasNext()) {
                throw new IllegalArgumentException("Option --runs has no value");
            } else {
                runs = OptionalInt.of(positive(rest.next()));
            }
        }
        return new DemoCommand(scenarios.isEmpty() ? List.of(Scenario.values()) : List.copyOf(scenarios), runs);
    }

    private static int positive(String value) {
        if (!value.matches("[1-9]\\d{0,3}")) {
            throw new IllegalArgumentException("Option --runs is '" + value + "': it must be from 1 to 9999");
        }
        return Integer.parseInt(value);
    }

    int runs(Scenario scenario) {
        return runs.orElse(scenario.runs());
    }

    private int runAll(PrintStream out) throws InterruptedException {
        long begin = System.nanoTime();
        Consumer<String> progress = line -> out.printf("[%6.1f s] %s%n", (System.nanoTime() - begin) / 1e9, line);
        int passed = 0;
        try (ShopCluster cluster = ShopCluster.open(progress)) {
            for (Scenario scenario : scenarios) {
                Verdict verdict = scenario.run(cluster, runs(scenario));
                out.println(verdict);
                passed += verdict.passed() ? 1 : 0;
            }
        }
        int failed = scenarios.size() - passed;
        out.println(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }
}
