package com.example.ordershop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Runs the script as a user does, but without the build. */
@Tag("processes")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "SKIPPED: a script for bash")
class ScriptTest {

    private record Outcome(int exitCode, String output) {}

    @Test
    void wrongArgumentsAreReportedWithTheUsage() throws Exception {
        Outcome outcome = run("of");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.output()).contains("There is no scenario 'of'", "usage: demo [off, on,");
    }

    @Test
    void aScenarioEndsWithItsVerdictACountAndTheExitCode() throws Exception {
        Outcome outcome = run("queue");

        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        assertThat(outcome.output().lines())
                .anyMatch(line -> line.matches("\\[ *\\d+\\.\\d s] all clients are in the queue: client-1 .*"))
                .anyMatch(line -> line.startsWith("PASSED queue: 10 clients with 10 sessions"))
                .last()
                .isEqualTo("1 passed, 0 failed");
    }

    private static Outcome run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("./demo"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ORDERSHOP_CLASSPATH", System.getProperty("java.class.path"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process script = builder.start();
        String output = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(script.waitFor(), output);
    }
}
