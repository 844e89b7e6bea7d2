package com.example.ordershop.demo;

import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.ShopCluster;
import com.example.ordershop.demo.scenario.Scenario;
import com.example.ordershop.demo.scenario.Verdict;
import java.io.PrintStream;

/** Main class of the {@code demo} command. */
public final class DemoCommand {

    /** System property: whether the output is a terminal. */
    static final String TERMINAL = "ordershop.terminal";

    private DemoCommand() {}

    /** Runs the scenarios of the arguments. Exit code: 0 if all pass, 1 if one fails, 2 if an argument is invalid. */
    public static void main(String[] arguments) {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", ShopCluster.LOGGING);
        }
        System.exit(run(arguments, System.out, System.err));
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        DemoArguments demo;
        try {
            demo = DemoArguments.parse(arguments);
        } catch (IllegalArgumentException wrong) {
            err.println(wrong.getMessage());
            err.println(DemoArguments.USAGE);
            return 2;
        }
        TerminalOutput terminal = new TerminalOutput(out, Boolean.getBoolean(TERMINAL));
        try {
            return runAll(demo, terminal);
        } catch (ScenarioException failed) {
            terminal.print("FAILED: " + failed.getMessage());
        } catch (InterruptedException e) {
            terminal.print("FAILED: interrupted");
        }
        return 1;
    }

    private static int runAll(DemoArguments demo, TerminalOutput terminal) throws InterruptedException {
        int passed = 0;
        try (ShopCluster cluster = demo.open(terminal)) {
            for (Scenario scenario : demo.scenarios()) {
                Verdict verdict = scenario.run(cluster, demo.load(), demo.runs(scenario));
                terminal.print(verdict.toString());
                passed += verdict.passed() ? 1 : 0;
            }
        }
        int failed = demo.scenarios().size() - passed;
        terminal.print(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }
}
