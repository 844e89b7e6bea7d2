package com.example.ordershop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            of                          | There is no scenario 'of', but off, on, queue, paused, killed and all
            off --speed 9               | There is no option --speed
            off --runs                  | Option --runs has no value
            off --runs 0                | Option --runs is '0': it must be from 1 to 9999
            off --runs x                | Option --runs is 'x': it must be from 1 to 9999
            off --shops 1               | shops is 1: it must be from 2 to 1000; one process alone needs no distributed lock
            off --clients 1             | clients is 1: it must be from 2 to 1000; one customer alone is never at two shops at once
            off --clients 3 --orders 6  | 3 clients with 6 orders each are 18 orders: at least 20 prove anything
            off --zookeeper a:2181      | --zookeeper and --database are wanted both
            off --user a                | --user and --password are those of a --database
            """)
    void wrongArgumentsAreRefusedBeforeAnythingStarts(String arguments, String message) {
        int exitCode = Demo.run(arguments.split(" ", -1), stream(out), stream(err));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith(message).contains("usage: demo [off, on, queue,");
        assertThat(out.size()).isZero();
    }

    @Test
    void withoutArgumentsEverythingIsShownAsOftenAsPromised() {
        Programme programme = Programme.parse();

        assertThat(programme.scenarios()).containsExactly(Scenario.values());
        assertThat(programme.runs(Scenario.OFF)).isEqualTo(10);
        assertThat(programme.runs(Scenario.ON)).isEqualTo(20);
        assertThat(programme.load()).isEqualTo(Load.DEFAULT);
        assertThat(programme.servers()).isNull();
    }

    @Test
    void serversOfOthersAreTakenAsTheyAreNamed() {
        Programme programme = Programme.parse(
                "on",
                "--runs",
                "3",
                "--zookeeper",
                "a:1,b:2",
                "--database",
                "jdbc:x",
                "--user",
                "u",
                "--password",
                "p");

        assertThat(programme.scenarios()).containsExactly(Scenario.ON);
        assertThat(programme.runs(Scenario.ON)).isEqualTo(3);
        assertThat(programme.servers()).isEqualTo(new Servers("a:1,b:2", "jdbc:x", "u", "p"));
    }

    @Test
    void aTerminalCountsOrdersInOneLineAndAFileDoesNot() {
        Terminal terminal = new Terminal(stream(out), true);
        Terminal file = new Terminal(stream(err), false);

        for (Terminal each : new Terminal[] {terminal, file}) {
            each.progress(7, 20);
            each.say("done");
        }

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("7 of 20 orders")
                .endsWith("\r\033[Kdone" + System.lineSeparator());
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("done" + System.lineSeparator());
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
