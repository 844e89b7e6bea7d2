package com.example.ordershop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.demo.scenario.Scenario;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoCommandTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            of                          | There is no scenario 'of', but off, on, queue, paused, killed and all
            off --speed 9               | There is no option --speed
            off --runs                  | Option --runs has no value
            off --runs 0                | Option --runs is '0': it must be from 1 to 9999
            off --runs x                | Option --runs is 'x': it must be from 1 to 9999
            """)
    void wrongArgumentsAreRefusedBeforeAnythingStarts(String arguments, String message) {
        int exitCode = DemoCommand.run(arguments.split(" ", -1), stream(out), stream(err));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith(message).contains("usage: demo [off, on, queue,");
        assertThat(out.size()).isZero();
    }

    @Test
    void withoutArgumentsAllScenariosRunTheirDefaultNumberOfTimes() {
        DemoCommand demo = DemoCommand.parse();

        assertThat(demo.scenarios()).containsExactly(Scenario.values());
        assertThat(demo.runs(Scenario.OFF)).isEqualTo(10);
        assertThat(demo.runs(Scenario.ON)).isEqualTo(20);
    }

    @Test
    void theNumberOfRunsIsThatOfTheOption() {
        DemoCommand demo = DemoCommand.parse("on", "--runs", "3");

        assertThat(demo.scenarios()).containsExactly(Scenario.ON);
        assertThat(demo.runs(Scenario.ON)).isEqualTo(3);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
