package io.github.zklock.faults;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link ClientMain} in a JVM of its own: orders go in, and what it says goes to the timeline. */
final class ClientProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;

    private final String name;
    private final ChildProcess child;
    private final BufferedWriter orders;
    private final Thread reader;

    ClientProcess(
            String name, String connectString, String basePath, Duration session, Path folder, Timeline timeline) {
        this.name = name;
        List<String> options = new ArrayList<>(List.of("-Xmx96m"));
        String engine = System.getProperty(EngineFactory.PROPERTY);
        if (engine != null) {
            options.add("-D" + EngineFactory.PROPERTY + "=" + engine);
        }
        child = ChildProcess.java(
                name,
                folder.resolve(name + ".log"),
                Redirect.PIPE,
                options,
                List.of(ClientMain.class.getName(), name, connectString, basePath, Long.toString(session.toMillis())));
        orders = child.process().outputWriter();
        BufferedReader output = child.process().inputReader();
        reader = new Thread(() -> listen(output, timeline), "events-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    String name() {
        return name;
    }

    /** Gives one of the orders that {@link ClientMain} knows. */
    void order(String order) {
        try {
            orders.write(order + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void pause() {
        child.pause();
    }

    void resume() {
        child.resume();
    }

    /** Lets it give back what it holds and end by itself. */
    void askToEnd() {
        try {
            orders.close();
        } catch (IOException gone) {
            throw new AssertionError(name + " ended too early", gone);
        }
    }

    void awaitEnd() throws InterruptedException {
        if (!child.process().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(name + " did not end within " + PATIENCE_SECONDS + " s of being asked to");
        }
        reader.join();
    }

    /** Ends it without a word; all that it has said is on the timeline then. */
    void kill() throws InterruptedException {
        child.close();
        reader.join();
    }

    @Override
    public void close() {
        child.close();
    }

    private static void listen(BufferedReader output, Timeline timeline) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                Event.parse(line).ifPresent(timeline::add);
            }
        } catch (IOException killed) {
            // all that it said has been read
        }
    }
}
