package io.github.zklock.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.fixture.LocalZooKeeper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The application in a process of its own, with the class path that the starter gives it and nothing else. */
class StarterAloneTest {

    private static LocalZooKeeper server;

    @BeforeAll
    static void startServer() {
        server = new LocalZooKeeper();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void anApplicationWithThreeLinesOfYamlTakesItsLockAndLogsNoWarning() throws Exception {
        String output = run(List.of());

        assertThat(output)
                .contains("results: {/order-stats alone on a platform thread=50}")
                .doesNotContain("SLF4J", "WARN", "ERROR", "Exception");
        assertThat(Files.readAllLines(Path.of("src/main/resources/application.yml")))
                .hasSize(3);
    }

    @Test
    void anApplicationThatWasProcessedAheadOfTimeTakesItsLock() throws Exception {
        String output = run(List.of("-Dspring.aot.enabled=true"));

        assertThat(output)
                .contains("Starting AOT-processed OrderStatsApplication")
                .contains("results: {/order-stats alone on a platform thread=50}");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreadsTakeTheLock() throws Exception {
        String output = run(List.of("-Dspring.threads.virtual.enabled=true"));

        assertThat(output).contains("results: {/order-stats alone on a virtual thread=50}");
    }

    @Test
    void theStarterBringsNoNativeLibrariesAndNothingThatNobodyUses() throws IOException {
        List<String> jars = jars().map(jar -> jar.getFileName().toString()).toList();

        assertThat(jars)
                .noneMatch(jar -> jar.contains("native-epoll") || jar.contains("tcnative") || jar.contains("snappy"))
                .noneMatch(jar -> jar.startsWith("guava") || jar.startsWith("failureaccess"))
                .noneMatch(jar -> jar.startsWith("audience-annotations") || jar.startsWith("metrics-core"))
                .anyMatch(jar -> jar.startsWith("zookeeper-3.9"))
                .anyMatch(jar -> jar.startsWith("aspectjweaver"));
    }

    @Test
    void theStarterBringsOneLoggingBinding() throws IOException {
        List<String> bindings = jars().map(jar -> jar.getFileName().toString())
                .filter(jar -> jar.startsWith("logback-classic")
                        || jar.startsWith("slf4j-simple")
                        || jar.contains("slf4j-impl"))
                .toList();

        assertThat(bindings).hasSize(1);
    }

    @Test
    void theClientIsNoLargerThanItMustBe() throws IOException {
        List<Path> client = jars().filter(jar -> jar.toString().contains(File.separator + "apache" + File.separator)
                        || jar.toString().contains(File.separator + "netty" + File.separator))
                .toList();
        long bytes = 0;
        for (Path jar : client) {
            bytes += Files.size(jar);
        }

        assertThat(client).hasSizeLessThanOrEqualTo(16);
        assertThat(bytes).isLessThan(9_500_000);
    }

    private static Stream<Path> jars() throws IOException {
        String all = Files.readString(Path.of("target", "class-path.txt"), StandardCharsets.UTF_8)
                .strip();
        return Arrays.stream(all.split(File.pathSeparator)).map(Path::of);
    }

    private static String run(List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // saves a third of the processor time of a start
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.add("-cp");
        command.add(Path.of("target", "classes")
                + File.pathSeparator
                + Files.readString(Path.of("target", "class-path.txt"), StandardCharsets.UTF_8)
                        .strip());
        command.add(OrderStatsApplication.class.getName());
        command.add("--servers=" + server.connectString());
        Path output = Files.createTempFile(Path.of("target"), "application", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(2, TimeUnit.MINUTES);
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended).as("the application ends; it said %s", text).isTrue();
            assertThat(process.exitValue()).as("exit status; it said %s", text).isZero();
            return text;
        } finally {
            process.destroyForcibly();
        }
    }
}
