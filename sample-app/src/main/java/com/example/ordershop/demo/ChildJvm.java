package com.example.ordershop.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM that this one has started, on the same class path, and that does not outlive it: closed at the latest by a hook of
 * this JVM, and if that is killed, by the end of its input.
 */
final class ChildJvm implements AutoCloseable {

    /** What machines that are ten times slower than ours need for anything that is waited for here. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final int LAST_WORDS = 15;
    private static final Set<ChildJvm> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ChildJvm::closeAll, "end-children"));
    }

    /** A fact about other processes, for which they have to be asked. */
    @FunctionalInterface
    interface Fact {
        boolean holds() throws InterruptedException;
    }

    private final String name;
    private final Process process;
    private final Thread reader;
    private final Deque<String> lastWords = new ArrayDeque<>(); // guarded by itself

    private ChildJvm(String name, Process process, Consumer<String> listener) {
        this.name = name;
        this.process = process;
        this.reader = new Thread(() -> read(process.inputReader(), listener), "output-of-" + name);
        reader.setDaemon(true);
    }

    /**
     * Starts one.
     *
     * @param options of the JVM
     * @param listener is told each line of its output
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
        // they live for a minute: starting fast is worth more than running fast
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(List.of("-cp", ClassPath.OWN));
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
            throw new StageException(name + " cannot be started: " + e.getMessage(), e);
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
     * Waits for this fact.
     *
     * @param fact as a sentence
     * @throws StageException if this process ends before, or it is not so within {@link #PATIENCE}
     */
    void await(String fact, Fact asked) throws InterruptedException {
        long begin = System.nanoTime();
        while (!asked.holds()) {
            // the end of this process is told at once; of others there is no word
            if (process.waitFor(INTERVAL.toMillis(), TimeUnit.MILLISECONDS) && !asked.holds()) {
                throw new StageException("%s has ended with exit code %d before this: %s. Its last words:%n%s"
                        .formatted(this, process.exitValue(), fact, lastWords()));
            }
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new StageException("Not so after %d s: %s. The last words of %s:%n%s"
                        .formatted(PATIENCE.toSeconds(), fact, this, lastWords()));
            }
        }
    }

    /** Waits until it ends by itself, and all that it has said has been told. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new StageException(
                    this + " has not ended after " + PATIENCE.toSeconds() + " s. Its last words:\n" + lastWords());
        }
        reader.join();
    }

    /** Lets it end by itself; {@link #close()} afterwards. */
    void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            // so is its reader
        }
    }

    /** Kills it, stopped or not, without a word to anybody. */
    @Override
    public void close() {
        process.destroyForcibly();
        // whatever interrupts: until it is gone it may write to files that are deleted next
        process.onExit().join();
        endInput();
        RUNNING.remove(this);
    }

    static void closeAll() {
        RUNNING.forEach(ChildJvm::close);
    }

    /** The end of its output, for messages. */
    String lastWords() {
        synchronized (lastWords) {
            return String.join("\n", lastWords);
        }
    }

    @Override
    public String toString() {
        return name + " (pid " + pid() + ")";
    }

    private void read(BufferedReader output, Consumer<String> listener) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (lastWords) {
                    lastWords.add(line);
                    if (lastWords.size() > LAST_WORDS) {
                        lastWords.remove();
                    }
                }
                listener.accept(line);
            }
        } catch (IOException killed) {
            // all that it said has been read
        }
    }
}
