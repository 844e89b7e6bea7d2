package io.github.zklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The file {@code zk-lock} that the build packs. Each test uses a cache of its own. */
@EnabledIfSystemProperty(named = "zklock.file", matches = ".+", disabledReason = "runs after the phase package")
class OneFileIT {

    private static LocalZooKeeper server;
    private static ZooKeeperLockRegistry others;

    @TempDir
    private Path folder;

    private Path zkLock;
    private Path starts;

    private record Ended(int code, String out, String err) {}

    @BeforeAll
    static void start() {
        server = new LocalZooKeeper();
        others = ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .instance("shop-1")
                .closeOnExit(false)
                .build();
    }

    @AfterAll
    static void stop() {
        others.close();
        server.close();
    }

    /** Java with a count of its starts. */
    @BeforeEach
    void countStarts() throws IOException {
        zkLock = Path.of(System.getProperty("zklock.file"));
        starts = folder.resolve("starts");
        Path java = Files.createDirectories(folder.resolve("java/bin")).resolve("java");
        Files.writeString(
                java,
                "#!/bin/sh\necho >>'" + starts + "'\nexec '"
                        + ProcessHandle.current().info().command().orElseThrow() + "' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void secondStartTakesItsClassesFromTheArchive() throws Exception {
        try (LockHandle held = others.lock("/orders").acquire()) {
            Ended first = run("queue", "/orders");
            assertThat(first.code()).as(first.err()).isZero();
            assertThat(first.out()).startsWith("STATE").contains("shop-1");
            assertThat(starts).as("the command, and the archive").content().hasLineCount(2);

            Path loaded = folder.resolve("loaded");
            Ended second = run(Map.of("ZK_LOCK_JAVA_OPTS", "-Xlog:class+load:file=" + loaded), "queue", "/orders");
            assertThat(second.out()).isEqualTo(first.out());
            assertThat(starts).content().hasLineCount(3);
            try (Stream<String> lines = Files.lines(loaded)) {
                Map<Boolean, Long> archived = lines.filter(line -> line.contains(" source: "))
                        .collect(Collectors.partitioningBy(
                                line -> line.contains("shared objects file"), Collectors.counting()));
                assertThat(archived.get(true)).isGreaterThan(5 * archived.get(false));
            }
            assertThat(first.err() + second.err()).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void archiveIsWrittenOnlyAfterAnAnswer() throws Exception {
        assertThat(run("leader", "/none").code()).isEqualTo(ExitCodes.NONE);
        assertThat(run("queue", "--help").code()).isZero();
        assertThat(run("queue", "--no-such-option").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(run("--version").out()).startsWith("zk-lock ").doesNotContain("unpacked");
        assertThat(run("run", "--lock", "/run", "sh", "-c", "exit 3").code()).isEqualTo(3);

        assertThat(starts).content().hasLineCount(5);
        assertThat(cached()).isEmpty();
    }

    @Test
    void javaThatWritesNoArchiveIsAskedOnce() throws Exception {
        Map<String, String> off = Map.of("ZK_LOCK_JAVA_OPTS", "-Xshare:off");

        assertThat(run(off, "ls").code()).isZero();
        assertThat(starts).content().hasLineCount(2);
        assertThat(run(off, "ls").code()).isZero();

        assertThat(starts).content().hasLineCount(3);
    }

    @Test
    void unusableCacheAndArchiveChangeNothing() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        for (String cache : List.of(file.toString(), "/proc")) {
            Ended ended = run(Map.of("XDG_CACHE_HOME", cache, "HOME", "/proc"), "queue", "/free");
            assertThat(ended).isEqualTo(new Ended(0, "no holder, no waiter" + System.lineSeparator(), ""));
        }

        zkLock = Files.copy(zkLock, folder.resolve("zk-lock"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(folder.resolve("zk-lock.jsa"), "no archive");
        assertThat(run("queue", "/free")).isEqualTo(new Ended(0, "no holder, no waiter" + System.lineSeparator(), ""));
    }

    @Test
    void startsWithoutTheToolsThatAnArchiveNeeds() throws Exception {
        Path tools = Files.createDirectory(folder.resolve("tools"));
        Files.createSymbolicLink(tools.resolve("readlink"), Path.of("/usr/bin/readlink"));

        Ended ended = run(Map.of("PATH", tools.toString()), "queue", "/free");

        assertThat(ended).isEqualTo(new Ended(0, "no holder, no waiter" + System.lineSeparator(), ""));
        assertThat(starts).content().hasLineCount(1);
        assertThat(cached()).isEmpty();
    }

    @Test
    void missingJavaIsReported() throws Exception {
        Ended ended = run(Map.of("JAVA_HOME", folder.resolve("none").toString()), "ls");

        assertThat(ended.code()).isEqualTo(ExitCodes.NOT_STARTED);
        assertThat(ended.err()).startsWith("zk-lock: Java 17 or later is needed; set JAVA_HOME");
    }

    private List<Path> cached() throws IOException {
        Path cache = folder.resolve("cache/zk-lock");
        if (!Files.exists(cache)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(cache)) {
            return files.toList();
        }
    }

    private Ended run(String... args) throws Exception {
        return run(Map.of(), args);
    }

    private Ended run(Map<String, String> variables, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(zkLock.toString()));
        command.addAll(Arrays.asList(args));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        process.environment().put("ZK_LOCK_CONNECTSTRING", server.connectString());
        process.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        process.environment().put("JAVA_HOME", folder.resolve("java").toString());
        process.environment().putAll(variables);
        Process started = process.start();
        started.getOutputStream().close();
        assertThat(started.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return new Ended(started.exitValue(), Files.readString(out), Files.readString(err));
    }
}
