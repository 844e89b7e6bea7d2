package com.example.ordershop.demo.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A child process: a JVM on the class path of this JVM. A shutdown hook of this JVM kills it. If this JVM is killed, its main
 * class {@link ExitWithParent} halts it.
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
    private static final int KEPT_LINES = 15;
    private static final Set<ChildJvm> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ChildJvm::closeAll, "end-children"));
    }

    /** A condition on other processes. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws InterruptedException;
    }

    private final String name;
    private final Process process;
    private final Thread reader;
    private final Deque<String> lastOutput = new ArrayDeque<>(); // guarded by itself

    private ChildJvm(String name, Process process, Consumer<String> listener) {
        this.name = name;
        this.process = process;
        this.reader = new Thread(() -> read(process.inputReader(), listener), "output-of-" + name);
        reader.setDaemon(true);
    }

    /**
     * Starts a child process.
     *
     * @param options options of the JVM
     * @param listener receives each line of the output
     */
    static ChildJvm start(
            String name,
            Path folder,
            List<String> options,
            List<String> mainAndArguments,
            Map<String, String> environment,
            Consumer<String> listener) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // the processes run for a minute: a fast start matters more than peak performance
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(List.of("-cp", CLASS_PATH));
        command.addAll(mainAndArguments);
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
            builder.environment().putAll(environment);
            ChildJvm child = new ChildJvm(name, builder.start(), listener);
            RUNNING.add(child);
            child.reader.start();
            return child;
        } catch (IOException e) {
            throw new ScenarioException(name + " cannot be started: " + e.getMessage(), e);
        }
    }

    long pid() {
        return process.pid();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits until the condition holds.
     *
     * @param fact the condition as a sentence, for the message
     * @throws ScenarioException if this process ends before, or if the condition does not hold within {@link #PATIENCE}
     */
    void await(String fact, Condition condition) throws InterruptedException {
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

    /** Waits for the end of the process and for the end of its output. */
    public void awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new ScenarioException(
                    this + " has not ended after " + PATIENCE.toSeconds() + " s. Its last output:\n" + lastOutput());
        }
        reader.join();
    }

    /** Closes the input, which ends the process. Call {@link #close()} afterwards. */
    void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            // the process has ended
        }
    }

    /** Kills the process (SIGKILL), also if it is stopped. */
    @Override
    public void close() {
        process.destroyForcibly();
        // join ignores interrupts: the process can write to files until it has ended, and they are deleted next
        process.onExit().join();
        endInput();
        RUNNING.remove(this);
    }

    static void closeAll() {
        RUNNING.forEach(ChildJvm::close);
    }

    /** Returns the last lines of the output, for messages. */
    public String lastOutput() {
        synchronized (lastOutput) {
            return String.join("\n", lastOutput);
        }
    }

    @Override
    public String toString() {
        return name + " (pid " + pid() + ")";
    }

    private void read(BufferedReader output, Consumer<String> listener) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (lastOutput) {
                    lastOutput.add(line);
                    if (lastOutput.size() > KEPT_LINES) {
                        lastOutput.remove();
                    }
                }
                listener.accept(line);
            }
        } catch (IOException killed) {
            // the output ends here
        }
    }
}
