package io.github.zklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The commands on a real server. Each test uses names of its own. */
@Execution(ExecutionMode.CONCURRENT)
class CommandLineTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static LocalZooKeeper server;
    private static ZooKeeperLockRegistry others;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

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

    // run

    @Test
    void commandRunsUnderTheLockAndKnowsItsToken() throws Exception {
        LockHandle earlier = others.lock("/run/token").acquire();
        earlier.close();
        Path file = folder.resolve("seen");

        int code = zkLock("run", "--lock", "/run/token", "--", "sh", "-c", "echo $ZKLOCK_NAME $ZKLOCK_TOKEN > " + file);

        assertThat(code).as(err.toString()).isZero();
        String[] seen = Files.readString(file).strip().split(" ", -1);
        assertThat(seen[0]).isEqualTo("/run/token");
        assertThat(Long.parseLong(seen[1])).isGreaterThan(earlier.fencingToken().value());
        assertThat(others.lock("/run/token").tryAcquire()).hasValueSatisfying(LockHandle::close);
        assertThat(out.toString() + err).isEmpty();
    }

    @Test
    void exitCodeIsThatOfTheCommand() {
        assertThat(zkLock("run", "-l", "/run/code", "sh", "-c", "exit 3")).isEqualTo(3);
        assertThat(zkLock("run", "-l", "/run/code", "/no/such/command")).isEqualTo(ExitCodes.NOT_STARTED);
        assertThat(err.toString()).contains("/no/such/command");
    }

    @Test
    void optionsBehindTheCommandBelongToIt() {
        assertThat(zkLock("run", "--lock", "/run/options", "sh", "-c", "exit $1", "--wait", "4"))
                .isEqualTo(4);
        assertThat(zkLock("run", "-l", "/run/options", "--", "sh", "-c", "test \"$1\" = @file", "-", "@file"))
                .isZero();
    }

    @Test
    void busyLockIsNotAwaitedForever() throws Exception {
        try (LockHandle held = others.lock("/run/busy").acquire()) {
            assertThat(zkLock("run", "--lock", "/run/busy", "--wait", "0s", "false"))
                    .isEqualTo(ExitCodes.BUSY);
            assertThat(err.toString()).startsWith("zk-lock: Lock '/run/busy' not acquired");
            assertThat(zkLock("run", "--lock", "/run/busy", "--wait", "0s", "--busy-exit", "0", "false"))
                    .isZero();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void longWaitNamesTheHolder() throws Exception {
        LockHandle held = others.lock("/run/wait").acquire();
        CompletableFuture<Integer> run =
                CompletableFuture.supplyAsync(() -> zkLock("run", "--lock", "/run/wait", "--", "true"));

        Awaitility.await().atMost(PATIENCE).until(() -> err.toString().contains("waiting for lock"));
        held.close();

        assertThat(run).succeedsWithin(PATIENCE).isEqualTo(0);
        assertThat(err.toString()).contains("waiting for lock '/run/wait', held by shop-1");
    }

    @Test
    void lossEndsTheCommand() throws Exception {
        Path ended = folder.resolve("ended");
        CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> zkLock(
                "run",
                "--lock",
                "/run/lost",
                "sh",
                "-c",
                "trap 'echo told > " + ended + "; exit 7' TERM; " + untilEnded()));
        awaitCommand();

        release("/run/lost");

        assertThat(run).succeedsWithin(PATIENCE).isEqualTo(ExitCodes.LOST);
        assertThat(ended).hasContent("told");
        assertThat(err.toString()).contains("Lock '/run/lost' was lost", "the command has ended with 7");
    }

    @Test
    void commandThatDoesNotEndIsKilled() throws Exception {
        CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() ->
                zkLock("run", "--lock", "/run/deaf", "--grace", "100ms", "sh", "-c", "trap '' TERM; " + untilEnded()));
        awaitCommand();

        release("/run/deaf");

        assertThat(run).succeedsWithin(PATIENCE).isEqualTo(ExitCodes.LOST);
    }

    @Test
    void lockIsKeptUntilTheDescendantsHaveEnded() throws Exception {
        Path ended = folder.resolve("ended");
        CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> zkLock(
                "run",
                "--lock",
                "/run/family",
                "sh",
                "-c",
                "sh -c \"trap 'sleep 1; echo told > " + ended + "; exit 0' TERM; " + untilEnded() + "\"; true"));
        awaitCommand();

        release("/run/family");

        assertThat(run).succeedsWithin(PATIENCE).isEqualTo(ExitCodes.LOST);
        assertThat(ended).as("written before zk-lock has ended").hasContent("told");
    }

    @Test
    void jobRunsOncePerWindow() {
        assertThat(zkLock("run", "-l", "/run/job", "--once-per", "1h", "--count-success", "false"))
                .isOne();
        assertThat(zkLock("run", "-l", "/run/job", "--once-per", "1h", "--count-success", "true"))
                .isZero();
        assertThat(zkLock("run", "-l", "/run/job", "--once-per", "1h", "--count-success", "true"))
                .isEqualTo(ExitCodes.BUSY);
        assertThat(err.toString()).contains("it is not due");
        assertThat(zkLock("run", "-l", "/run/job2", "--once-per", "1h", "/no/such/command"))
                .isEqualTo(ExitCodes.NOT_STARTED);
        assertThat(zkLock(
                        "run",
                        "-l",
                        "/run/job2",
                        "--once-per",
                        "1h",
                        "--tolerance",
                        "0s",
                        "--aligned-in",
                        "UTC",
                        "true"))
                .as("a command that could not be started does not count")
                .isZero();
    }

    @Test
    void permitsAndReadersShareTheLock() throws Exception {
        try (LockHandle permit = others.semaphore("/run/permits", 2).acquire();
                LockHandle reader = others.readWriteLock("/run/rw").readLock().acquire()) {
            assertThat(zkLock("run", "-l", "/run/permits", "--permits", "2", "--wait", "0s", "true"))
                    .isZero();
            assertThat(zkLock("run", "-l", "/run/rw", "--mode", "read", "--wait", "0s", "true"))
                    .isZero();
            assertThat(zkLock("run", "-l", "/run/rw", "--mode", "write", "--wait", "0s", "true"))
                    .isEqualTo(ExitCodes.BUSY);
            assertThat(permit.isHeld() && reader.isHeld()).isTrue();
        }
    }

    @Test
    void signalEndsTheCommandBeforeTheLockIsReleased() throws Exception {
        Path ended = folder.resolve("ended");
        Process process = process(
                "run",
                "--lock",
                "/run/signal",
                "sh",
                "-c",
                "trap 'sleep 0.5; echo told > " + ended + "; exit 0' TERM; " + untilEnded());
        awaitCommand();

        process.destroy();
        LockHandle next = others.lock("/run/signal").acquire(PATIENCE);

        assertThat(ended).hasContent("told");
        next.close();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void signalEndsTheWait() throws Exception {
        try (LockHandle held = others.lock("/run/signalled").acquire()) {
            Process process = process("run", "--lock", "/run/signalled", "true");
            awaitQueue("/run/signalled", 2);

            process.destroy();

            awaitQueue("/run/signalled", 1);
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(held.isHeld()).isTrue();
        }
    }

    // queues

    @Test
    void namesAreListed() throws Exception {
        try (LockHandle one = others.lock("/ls/one").acquire();
                LockHandle two = others.lock("/ls/two").acquire()) {
            assertThat(zkLock("ls", "/ls")).isZero();
            assertThat(out.toString().lines()).containsExactly("/ls/one", "/ls/two");
            assertThat(zkLock("ls", "-l", "/ls")).isZero();
            assertThat(out.toString()).contains("/ls/two  held: 1  waiting: 0");
            assertThat(one.isHeld() && two.isHeld()).isTrue();
        }
    }

    @Test
    void queueIsPrinted() throws Exception {
        try (LockHandle held = others.lock("/queue/one").acquire()) {
            CompletableFuture<LockHandle> waiting = others.lock("/queue/one").acquireAsync();

            assertThat(zkLock("queue", "/queue/one")).isZero();
            waiting.cancel(false);

            List<String> lines = out.toString().lines().toList();
            assertThat(lines.get(0)).startsWith("STATE  KIND       PERMITS  INSTANCE");
            assertThat(lines.get(1)).matches("holds  exclusive  1        shop-1 .* " + held(held));
        }
        try (LockHandle permits =
                others.semaphore("/queue/permits", 8).permits(2).acquire()) {
            assertThat(zkLock("queue", "/queue/permits")).isZero();
            assertThat(out.toString()).contains("holds  permits  2 of 8   shop-1");
            assertThat(permits.isHeld()).isTrue();
        }
        assertThat(zkLock("queue", "/queue/none")).isZero();
        assertThat(out.toString()).endsWith("no holder, no waiter" + System.lineSeparator());
    }

    @Test
    void answersArePrintedAsJson() throws Exception {
        assertThat(zkLock("leader", "-o", "json", "/json/one")).isEqualTo(ExitCodes.NONE);
        assertThat(lastLine()).isEqualTo("{\"name\":\"/json/one\",\"leader\":null}");
        try (LockHandle held = others.lock("/json/one").acquire()) {
            assertThat(zkLock("queue", "--output", "json", "/json/one")).isZero();
            assertThat(read("$.name")).isEqualTo("/json/one");
            assertThat(read("$.length")).isEqualTo(1);
            assertThat(read("$.seats[0].id")).isEqualTo(held(held));
            assertThat(read("$.seats[0].kind")).isEqualTo("EXCLUSIVE");
            assertThat(read("$.seats[0].holds")).isEqualTo(true);
            assertThat(read("$.seats[0].owner.instance")).isEqualTo("shop-1");

            assertThat(zkLock("ls", "--output", "JSON", "/json")).isZero();
            assertThat(lastLine()).isEqualTo("[{\"name\":\"/json/one\"}]");
            assertThat(zkLock("ls", "-l", "-o", "json", "/json")).isZero();
            assertThat(lastLine()).isEqualTo("[{\"name\":\"/json/one\",\"holding\":1,\"waiting\":0}]");
            assertThat(zkLock("watch", "--output", "json", "--changes", "0", "/json/one"))
                    .isZero();
            assertThat(Instant.parse((String) read("$.time"))).isBefore(Instant.now());
            assertThat(zkLock("leader", "-o", "json", "/json/one")).isZero();
            assertThat(read("$.leader.owner.instance")).isEqualTo("shop-1");
            assertThat(zkLock("ls", "--output", "xml")).isEqualTo(ExitCodes.USAGE);
        }
    }

    private Object read(String path) {
        return JsonPath.read(lastLine(), path);
    }

    private String lastLine() {
        return out.toString().lines().reduce((before, last) -> last).orElseThrow();
    }

    @Test
    void changesOfAQueueArePrinted() throws Exception {
        CompletableFuture<Integer> watch = CompletableFuture.supplyAsync(
                () -> zkLock("watch", "/watch/one", "--interval", "10ms", "--changes", "1"));
        Awaitility.await().atMost(PATIENCE).until(() -> out.toString().contains("no holder"));

        try (LockHandle held = others.lock("/watch/one").acquire()) {
            assertThat(watch).succeedsWithin(PATIENCE).isEqualTo(0);
            assertThat(out.toString()).contains("shop-1");
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void leaderIsPrinted() throws Exception {
        assertThat(zkLock("leader", "/leader/one")).isEqualTo(ExitCodes.NONE);
        try (LockHandle held = others.lock("/leader/one").acquire()) {
            assertThat(zkLock("leader", "/leader/one")).isZero();
            assertThat(out.toString().strip()).isEqualTo("shop-1");
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void holderLosesALockThatIsReleasedByForce() throws Exception {
        assertThat(zkLock("release", "--yes", "/release/one")).isEqualTo(ExitCodes.NONE);
        LockHandle held = others.lock("/release/one").acquire();

        assertThat(zkLock("release", "--yes", "/release/one")).isZero();

        assertThat(out.toString()).contains("shop-1", "released");
        Awaitility.await().atMost(PATIENCE).until(() -> held.state() == LockState.LOST);
    }

    @Test
    void releaseNamesOneOfSeveralHolders() throws Exception {
        try (LockHandle one = others.readWriteLock("/release/rw").readLock().acquire()) {
            ZooKeeperLockRegistry third = ZooKeeperLockRegistry.builder()
                    .connectString(server.connectString())
                    .closeOnExit(false)
                    .build();
            LockHandle two = third.readWriteLock("/release/rw").readLock().acquire();
            assertThat(zkLock("release", "--yes", "/release/rw")).isEqualTo(ExitCodes.USAGE);
            assertThat(err.toString()).contains("has several holders; name one by --seat");
            String seat = third.inspector().held().get(0).seatId();

            assertThat(zkLock("release", "--yes", "/release/rw", "--seat", seat))
                    .isZero();

            Awaitility.await().atMost(PATIENCE).until(() -> two.state() == LockState.LOST);
            assertThat(one.isHeld()).isTrue();
            third.close();
        }
    }

    @Test
    void releaseNeedsAConfirmation() throws Exception {
        try (LockHandle held = others.lock("/release/sure").acquire()) {
            Process process = process("release", "/release/sure");
            process.getOutputStream().close();

            assertThat(printedBy(process)).containsSubsequence("INSTANCE", "shop-1", "Release it?", "not confirmed");
            assertThat(process.exitValue()).isEqualTo(ExitCodes.USAGE);
            assertThat(held.isHeld()).isTrue();
        }
    }

    // the output of the process, not of a writer of the test: a buffer may be lost at its exit

    @Test
    void processPrintsAQueue() throws Exception {
        try (LockHandle held = others.lock("/process/queue").acquire()) {
            assertThat(printedBy(process("queue", "/process/queue"))).contains("INSTANCE", "holds", held(held));
        }
    }

    @Test
    void processPrintsNames() throws Exception {
        try (LockHandle held = others.lock("/process/ls").acquire()) {
            assertThat(printedBy(process("ls", "/process"))).contains("/process/ls");
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Tag("processes")
    @Test
    void processPrintsALeader() throws Exception {
        try (LockHandle held = others.lock("/process/leader").acquire()) {
            assertThat(printedBy(process("leader", "/process/leader"))).isEqualToIgnoringWhitespace("shop-1");
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Tag("processes")
    @Test
    void processPrintsEachChange() throws Exception {
        Process process = process("watch", "/process/watch", "--interval", "10ms");
        awaitOutput("no holder, no waiter");

        try (LockHandle held = others.lock("/process/watch").acquire()) {
            awaitOutput(held(held));
        } finally {
            process.destroy();
        }
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Tag("processes")
    @Test
    void processPrintsWhatItReleases() throws Exception {
        LockHandle held = others.lock("/process/release").acquire();
        String seat = held(held);

        assertThat(printedBy(process("release", "--yes", "/process/release"))).containsSubsequence(seat, "released");
    }

    @Tag("processes")
    @Test
    void processPrintsWhatItsCommandPrints() throws Exception {
        assertThat(printedBy(process("run", "--lock", "/process/run", "sh", "-c", "echo $ZKLOCK_NAME")))
                .isEqualToIgnoringWhitespace("/process/run");
    }

    @Tag("processes")
    @Test
    void processPrintsItsHelp() throws Exception {
        assertThat(printedBy(process("queue", "--help"))).contains("Usage: zk-lock queue", "Exit codes");
    }

    // arguments and connection

    @Test
    void wrongArgumentsAreRefused() {
        assertThat(execute()).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("Usage: zk-lock", "run", "release");
        assertThat(zkLock("run", "true")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("Missing required option: '--lock=NAME'", "Try 'zk-lock run --help'.");
        assertThat(zkLock("run", "-l", "/x", "--wait", "10", "true")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("'10' is not a duration; use for example 500ms");
        assertThat(zkLock("run", "-l", "/x", "--permits", "2", "--mode", "read", "true"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(zkLock("run", "-l", "/x", "--permits", "2", "--once-per", "1h", "true"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(zkLock("run", "-l", "/x", "--count-success", "true")).isEqualTo(ExitCodes.USAGE);
        assertThat(zkLock("run", "-l", "/x", "--tolerance", "1m", "true")).isEqualTo(ExitCodes.USAGE);
        assertThat(zkLock("run", "-l", "/x", "--once-per", "1h", "--tolerance", "2h", "true"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("The tolerance 2 h is not between zero and the window 1 h");
        assertThat(zkLock("run", "-l", "//", "true")).isEqualTo(ExitCodes.USAGE);
        assertThat(zkLock("run", "-l", "/x", "--permits", "0", "true")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void helpNamesTheExitCodes() {
        assertThat(execute("run", "--help")).isZero();
        assertThat(out.toString()).contains("ZKLOCK_TOKEN", "75", "the lock is busy");
        for (int code : List.of(0, 1, 64, 69, 70, 75, 76, 77, 78, 127, 130, 143)) {
            assertThat(out.toString()).containsPattern("(?m)^ *" + code + " +\\w");
        }
        assertThat(execute("--version")).isZero();
    }

    @Test
    void completionOfShellsIsGenerated() throws Exception {
        assertThat(execute("generate-completion")).isZero();
        Path script = Files.writeString(folder.resolve("completion"), out.toString());

        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + script + "; COMP_WORDS=(zk-lock re); COMP_CWORD=1;"
                                + " _complete_zk-lock; echo ${COMPREPLY[*]}")
                .redirectErrorStream(true)
                .start();

        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
                .isEqualTo("release");
    }

    @Test
    void unknownHostIsReportedFirstAndWithoutAStackTrace() throws Exception {
        Path file = folder.resolve("short.properties");
        Files.writeString(file, "zk.lock.connection-timeout=300ms");

        Process process = start("ls", "--config", file.toString(), "--connect", "no-such-host.invalid:2181");

        List<String> lines = printedBy(process).lines().toList();
        assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("zk-lock: "));
        assertThat(lines.get(0)).contains("host 'no-such-host.invalid' is unknown", "--connect");
        assertThat(process.exitValue()).isEqualTo(ExitCodes.UNAVAILABLE);
    }

    @Test
    void propertiesAreReadFromAFile() throws IOException {
        Path file = folder.resolve("application.yml");
        Files.writeString(file, """
                zk.lock:
                  connect-string: %s
                  base-path: /other
                """.formatted(server.connectString()));
        try (ZooKeeperLockRegistry elsewhere = ZooKeeperLockRegistry.builder()
                        .connectString(server.connectString())
                        .basePath("/other")
                        .closeOnExit(false)
                        .build();
                LockHandle held = elsewhere.lock("/file").acquire()) {
            assertThat(execute("queue", "--config", file.toString(), "/file")).isZero();
            assertThat(out.toString()).contains("holds");
            assertThat(held.isHeld()).isTrue();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void wrongConnectionIsReported() throws IOException {
        assertThat(execute("ls", "--config", folder.resolve("none.yml").toString()))
                .isEqualTo(ExitCodes.CONFIGURATION);
        assertThat(err.toString()).contains("none.yml of --config cannot be read");
        assertThat(execute("ls")).isEqualTo(ExitCodes.CONFIGURATION);
        assertThat(err.toString()).contains("No servers are named; use --connect");
        assertThat(execute("ls", "--connect", "127.0.0.1:0:0")).isEqualTo(ExitCodes.CONFIGURATION);
        Path unset = folder.resolve("unset.properties");
        Files.writeString(unset, "zk.lock.connect-string=${NOT_SET_ANYWHERE}");
        assertThat(execute("ls", "--config", unset.toString())).isEqualTo(ExitCodes.CONFIGURATION);
        assertThat(err.toString()).contains("NOT_SET_ANYWHERE");
        Path file = folder.resolve("short.properties");
        Files.writeString(file, "zk.lock.connection-timeout=300ms");
        assertThat(execute("ls", "--config", file.toString(), "--connect", "127.0.0.1:1"))
                .isEqualTo(ExitCodes.UNAVAILABLE);
    }

    private int zkLock(String command, String... args) {
        List<String> all = new ArrayList<>(List.of(command, "--connect", server.connectString()));
        all.addAll(Arrays.asList(args));
        return execute(all.toArray(String[]::new));
    }

    private int execute(String... args) {
        return ZkLock.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private Process process(String command, String... args) throws IOException {
        List<String> all = new ArrayList<>(List.of(command, "--connect", server.connectString()));
        all.addAll(Arrays.asList(args));
        return start(all.toArray(String[]::new));
    }

    private Process start(String... args) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ZkLock.class.getName()));
        all.addAll(Arrays.asList(args));
        return new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }

    /** Returns both outputs of a process, after it has ended. */
    private String printedBy(Process process) throws IOException, InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return Files.readString(folder.resolve("output"));
    }

    private void awaitOutput(String text) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Files.readString(folder.resolve("output")).contains(text));
    }

    private static String held(LockHandle handle) {
        return others.inspector().held().stream()
                .filter(each -> each.token().equals(handle.fencingToken()))
                .findFirst()
                .orElseThrow()
                .seatId();
    }

    /** Returns the end of a command that runs until a signal comes, and makes it known when it is ready for one. */
    private String untilEnded() {
        return "touch " + folder.resolve("ready") + "; while :; do sleep 0.1; done";
    }

    private void awaitCommand() {
        Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(folder.resolve("ready")));
    }

    private static void awaitQueue(String name, int length) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> others.inspector().queue(name).size() == length);
    }

    /** Takes the lock from its holder. */
    private static void release(String name) throws InterruptedException {
        String seat = others.inspector().queue(name).get(0).id();
        others.inspector().evict(name, seat);
    }
}
