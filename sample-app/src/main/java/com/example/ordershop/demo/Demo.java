package com.example.ordershop.demo;

import java.io.PrintStream;

/** The demonstration on the command line. */
public final class Demo {

    /** Configuration of the log of processes that are not Spring's. */
    static final String LOGGING = "com/example/ordershop/demo/logback.xml";

    /** Whether the output is a terminal, as whoever starts this knows. */
    static final String TERMINAL = "ordershop.terminal";

    private Demo() {}

    /** Plays what the arguments say; exit code 0 if all was as promised, 1 if not, 2 if the arguments are wrong. */
    public static void main(String[] arguments) {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", LOGGING);
        }
        System.exit(run(arguments, System.out, System.err));
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        Programme programme;
        try {
            programme = Programme.parse(arguments);
        } catch (IllegalArgumentException wrong) {
            err.println(wrong.getMessage());
            err.println(Programme.USAGE);
            return 2;
        }
        Terminal terminal = new Terminal(out, Boolean.getBoolean(TERMINAL));
        try {
            return play(programme, terminal);
        } catch (StageException failed) {
            terminal.say("FAILED: " + failed.getMessage());
        } catch (InterruptedException e) {
            terminal.say("FAILED: interrupted");
        }
        return 1;
    }

    private static int play(Programme programme, Terminal terminal) throws InterruptedException {
        int passed = 0;
        try (Stage stage = programme.open(terminal)) {
            for (Scenario scenario : programme.scenarios()) {
                Verdict verdict = scenario.play(stage, programme.load(), programme.runs(scenario));
                terminal.say(verdict.toString());
                passed += verdict.passed() ? 1 : 0;
            }
        }
        int failed = programme.scenarios().size() - passed;
        terminal.say(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }
}
