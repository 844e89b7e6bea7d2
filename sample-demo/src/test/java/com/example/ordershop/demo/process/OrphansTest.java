package com.example.ordershop.demo.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("processes")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "SKIPPED: no SIGSTOP")
class OrphansTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    /** Starts two children, stops one of them, and waits. */
    static final class Parent {

        public static void main(String[] arguments) throws InterruptedException {
            ChildJvm running = sleeper(Path.of(arguments[0]));
            ChildJvm stopped = sleeper(Path.of(arguments[0]));
            try (Pause pause = stopped.pause()) {
                System.out.println(
                        running.handle().pid() + " " + stopped.handle().pid());
                Thread.currentThread().join();
            }
        }

        private static ChildJvm sleeper(Path folder) {
            return ChildJvm.start(
                    "sleeper",
                    folder,
                    List.of("-Xmx16m"),
                    List.of(ExitWithParent.class.getName(), Sleeper.class.getName()),
                    Map.of());
        }
    }

    static final class Sleeper {

        public static void main(String[] arguments) throws InterruptedException {
            Thread.currentThread().join();
        }
    }

    @Test
    void neitherARunningNorAStoppedChildIsLeftWhenItsParentIsKilled() throws IOException {
        Process parent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-cp",
                        ChildJvm.CLASS_PATH,
                        Parent.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        BufferedReader output = parent.inputReader();
        List<ProcessHandle> children = List.of(output.readLine().split(" ", -1)).stream()
                .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                .toList();
        assertThat(children).hasSize(2).allMatch(ProcessHandle::isAlive);

        parent.destroyForcibly();

        await().atMost(LONG).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }
}
