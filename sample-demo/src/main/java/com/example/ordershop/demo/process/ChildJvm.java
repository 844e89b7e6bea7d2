package com.example.ordershop.demo.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A child process: a JVM on the class path of this JVM, whose output is written to a file. {@link #closeAll()} kills it when
 * this JVM ends. If this JVM is killed, the main class of the child halts it: {@link ExitWithParent}.
 */
public final class ChildJvm implements AutoCloseable {

    /** Timeout of every wait, generous enough for a slow machine. */
    public static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Class path of this JVM with absolute paths, because children start in other directories. */
    static final String CLASS_PATH = Arrays.stream(
                    System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));

    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final int LAST_LINES = 15;
    private static final Set<ChildJvm> RUNNING = ConcurrentHashMap.newKeySet();

    /** A condition on other processes. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws InterruptedException;
    }

    private final String name;
    private final Process process;
    private final Path output;

    private ChildJvm(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /**
     * Starts a child process.
     *
     * @param folder its working directory, which also contains the file of its output
     * @param options options of the JVM
     * @param mainAndArguments the main class, which ends the process at the end of its input, and its arguments
     */
    static ChildJvm start(
            String name,
            Path folder,
            List<String> options,
            List<String> mainAndArguments,
            Map<String, String> environment) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // the processes run for a minute: a fast start matters more than peak performance
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(List.of("-cp", CLASS_PATH));
        command.addAll(mainAndArguments);
        Path output = folder.resolve(name + ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            ChildJvm child = new ChildJvm(name, builder.start(), output);
            RUNNING.add(child);
            return child;
        } catch (IOException e) {
            throw new ScenarioException(name + " cannot be started: " + e.getMessage(), e);
        }
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /**
     * Waits until the condition holds.
     *
     * @param fact the condition as a sentence, for the message
     * @throws ScenarioException if this process ends before, or if the condition does not hold within {@link #PATIENCE}
     */
    public void await(String fact, Condition condition) throws InterruptedException {
        long begin = System.nanoTime();
        while (!condition.holds()) {
            // the wait ends at once when the process ends
            if (process.waitFor(INTERVAL.toMillis(), TimeUnit.MILLISECONDS) && !condition.holds()) {
                throw new ScenarioException("%s has ended with exit code %d before this: %s. Its last output:%n%s"
                        .formatted(this, process.exitValue(), fact, lastOutput()));
            }
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new ScenarioException("Not reached within %d s: %s. Last output of %s:%n%s"
                        .formatted(PATIENCE.toSeconds(), fact, this, lastOutput()));
            }
        }
    }

    /** Waits for a line of the output that starts with this text, and returns the rest of the line. */
    String awaitLine(String start, String fact) throws InterruptedException {
        await(fact, () -> rest(start).isPresent());
        return rest(start).orElseThrow();
    }

    /** Pauses the process (SIGSTOP). */
    public Pause pause() {
        return Pause.of(process.pid());
    }

    /** Kills the process (SIGKILL), also if it is stopped. */
    @Override
    public void close() {
        process.destroyForcibly();
        // join ignores interrupts: the process can write to files until it has ended, and they are deleted next
        process.onExit().join();
        RUNNING.remove(this);
    }

    static void closeAll() {
        RUNNING.forEach(ChildJvm::close);
    }

    /** Returns the last lines of the output, for messages. */
    String lastOutput() {
        List<String> lines = lines();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    @Override
    public String toString() {
        return name + " (pid " + process.pid() + ")";
    }

    private Optional<String> rest(String start) {
        return lines().stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst();
    }

    /** Returns the lines that are complete. */
    private List<String> lines() {
        try {
            String text = new String(Files.readAllBytes(output), Charset.defaultCharset());
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            throw new ScenarioException("The output of " + this + " cannot be read: " + e.getMessage(), e);
        }
    }
}
