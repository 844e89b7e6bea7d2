package com.example.ordershop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.demo.process.Servers;
import com.example.ordershop.demo.scenario.Load;
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
            off --shops 1               | shops is 1: it must be from 2 to 1000; one process needs no distributed lock
            off --clients 1             | clients is 1: it must be from 2 to 1000; one client never calls two shops at once
            off --clients 3 --orders 6  | 3 clients with 6 orders each are 18 orders: a run needs at least 20
            off --zookeeper a:2181      | --zookeeper and --database require each other
            off --user a                | --user and --password require --database
            """)
    void wrongArgumentsAreRefusedBeforeAnythingStarts(String arguments, String message) {
        int exitCode = DemoCommand.run(arguments.split(" ", -1), stream(out), stream(err));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith(message).contains("usage: demo [off, on, queue,");
        assertThat(out.size()).isZero();
    }

    @Test
    void withoutArgumentsAllScenariosRunTheirDefaultNumberOfTimes() {
        DemoArguments demo = DemoArguments.parse();

        assertThat(demo.scenarios()).containsExactly(Scenario.values());
        assertThat(demo.runs(Scenario.OFF)).isEqualTo(10);
        assertThat(demo.runs(Scenario.ON)).isEqualTo(20);
        assertThat(demo.load()).isEqualTo(Load.DEFAULT);
        assertThat(demo.servers()).isNull();
    }

    @Test
    void externalServersAreUsedAsGiven() {
        DemoArguments demo = DemoArguments.parse(
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

        assertThat(demo.scenarios()).containsExactly(Scenario.ON);
        assertThat(demo.runs(Scenario.ON)).isEqualTo(3);
        assertThat(demo.servers()).isEqualTo(new Servers("a:1,b:2", "jdbc:x", "u", "p"));
    }

    @Test
    void aTerminalCountsOrdersInOneLineAndAFileDoesNot() {
        TerminalOutput terminal = new TerminalOutput(stream(out), true);
        TerminalOutput file = new TerminalOutput(stream(err), false);

        for (TerminalOutput each : new TerminalOutput[] {terminal, file}) {
            each.progress(7, 20);
            each.print("done");
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
