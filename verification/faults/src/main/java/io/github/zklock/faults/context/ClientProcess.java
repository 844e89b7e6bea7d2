package io.github.zklock.faults.context;

import io.github.zklock.faults.client.ClientMain;
import io.github.zklock.faults.cluster.ChildProcess;
import io.github.zklock.faults.cluster.Jvm;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Timeline;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.regex.Pattern;
import org.apache.commons.io.function.Uncheck;

/**
 * A client in a JVM of its own. It receives commands on its input and reports events on its output, which go to the
 * timeline.
 */
public final class ClientProcess implements AutoCloseable {

    private static final long MAX_WAIT_SECONDS = 30;

    /** The messages about a node without a seat, and about a view of a queue that lacks an event. */
    private static final Pattern MENDED = Pattern.compile(" ERROR .*(belongs to no seat|an event was lost)");

    private final String name;
    private final Path log;
    private final ChildProcess child;
    private final BufferedWriter commands;
    private final LongUnaryOperator rightTime;
    private final Thread reader;

    private volatile boolean killed;

    ClientProcess(
            Variant variant,
            String name,
            List<String> connection,
            int register,
            ClientOptions clientOptions,
            Path folder,
            Timeline timeline) {
        this.name = name;
        this.log = folder.resolve(name + ".log");
        List<String> options = new ArrayList<>(List.of(
                "-Xmx96m",
                "-Dfaults.register=" + register,
                "-Dfaults.surface=" + variant.surface().name().toLowerCase(Locale.ROOT),
                "-Dfaults.engine=" + variant.engine(),
                "-Dfaults.hand-off=" + variant.policy().name().toLowerCase(Locale.ROOT)));
        if (!variant.engine().equals(Timeline.OURS)) {
            options.add(ClientOptions.NO_SASL);
        }
        options.addAll(clientOptions.options());
        List<String> mainAndArgs = new ArrayList<>(List.of(ClientMain.class.getName(), name));
        mainAndArgs.addAll(connection);
        child = ChildProcess.start(
                name,
                new Jvm(variant.jdk(), variant.classes(), List.of(), options, clientOptions.environment()).shortLived(),
                log,
                Redirect.PIPE,
                mainAndArgs);
        commands = child.process().outputWriter();
        BufferedReader output = child.process().inputReader();
        rightTime = clientOptions.rightTime();
        reader = new Thread(() -> listen(output, timeline), "events-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    public String name() {
        return name;
    }

    /** @throws AssertionError if the process has ended */
    void requireAlive() {
        if (!child.isAlive()) {
            throw endedByItself(child.process().exitValue());
        }
    }

    /** Sends a command. {@link ClientMain} lists the commands. */
    public void send(String command) {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot receive '%s': see %s".formatted(name, command, log), e);
        }
    }

    public void pause() {
        child.pause();
    }

    public void resume() {
        child.resume();
    }

    /** Closes the input of the client, which then releases its locks and ends. */
    public void askToEnd() {
        try {
            commands.close();
        } catch (IOException gone) {
            throw new AssertionError(name + " ended too early", gone);
        }
    }

    /**
     * Waits for the end of a client that was asked to end.
     *
     * @throws AssertionError if it does not end in time, or ends with an error
     */
    public void awaitEnd() {
        int exit = exitValue();
        if (exit != 0) {
            throw endedByItself(exit);
        }
    }

    /** Sends SIGTERM, and waits until the process has ended. */
    public void terminate() {
        child.terminate();
        exitValue();
    }

    /** Waits until the process has ended and all of its output is on the timeline. */
    private int exitValue() {
        try {
            if (!child.process().waitFor(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(
                        "%s did not end within %d s of being asked to: see %s".formatted(name, MAX_WAIT_SECONDS, log));
            }
            reader.join();
            return child.process().exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    /** Kills the process, and waits until all of its output is on the timeline. */
    public void kill() {
        close();
        exitValue();
    }

    /** Returns what our library has logged about mistakes of its own that it has mended. */
    List<Event> loggedMistakes() {
        return Uncheck.get(() -> Files.readAllLines(log)).stream()
                .filter(MENDED.asPredicate())
                .map(line -> Event.of(name, System.nanoTime(), Kind.MISTAKE_LOGGED, "message", line))
                .toList();
    }

    /** Returns how many lines of the log of this process contain a text. */
    public long logged(String text) {
        return Uncheck.get(() -> Files.readAllLines(log)).stream()
                .filter(line -> line.contains(text))
                .count();
    }

    @Override
    public void close() {
        killed = true;
        child.close();
    }

    private AssertionError endedByItself(int exit) {
        return new AssertionError("%s ended by itself with exit value %d: see %s".formatted(name, exit, log));
    }

    private void listen(BufferedReader output, Timeline timeline) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                read(line).ifPresent(timeline::add);
            }
        } catch (IOException closed) {
            // all output has been read
        }
    }

    private Optional<Event> read(String line) {
        try {
            return Event.parse(line).map(event -> event.withTimes(rightTime));
        } catch (RuntimeException unreadable) {
            // a killed process may leave half a line
            return killed
                    ? Optional.empty()
                    : Optional.of(Event.of(
                            name, System.nanoTime(), Kind.FAILED, "message", unreadable + " in its output: " + line));
        }
    }
}
