package io.github.zklock.faults;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A JVM of our own that can be paused, killed and never outlives this one. */
final class ChildProcess implements AutoCloseable {

    /*
     * A shell beside each child sends the signals: it is there before the moment that matters, and when this JVM is gone
     * without having run its hooks, the end of its input is its order to kill the child, which may be stopped and could
     * not end itself.
     */
    private static final String GUARD =
            "while read -r s; do [ $s = LEAVE ] && exit 0; kill -$s $1; echo done; done; kill -KILL $1";

    private static final Set<ChildProcess> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(ChildProcess::close), "end-children"));
    }

    private final String name;
    private final Process process;
    private final Process guard;
    private final BufferedWriter orders;
    private final BufferedReader reports;

    private ChildProcess(String name, Process process) throws IOException {
        this.name = name;
        this.process = process;
        this.guard = new ProcessBuilder("sh", "-c", GUARD, "guard", Long.toString(process.pid()))
                .redirectError(Redirect.DISCARD)
                .start();
        this.orders = guard.outputWriter();
        this.reports = guard.inputReader();
    }

    /** Starts a JVM on this JVM's class path. What it writes to its error output goes to the log, appended. */
    static ChildProcess java(String name, Path log, Redirect output, List<String> options, List<String> mainAndArgs) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // they live for seconds: starting fast is worth more than running fast
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.add("-Dlogback.configurationFile=child-logback.xml");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(mainAndArgs);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(output)
                    .redirectError(Redirect.appendTo(log.toFile()))
                    .start();
            ChildProcess child = new ChildProcess(name, process);
            RUNNING.add(child);
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    Process process() {
        return process;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Stops it where it stands: no thread of it runs until {@link #resume()}. */
    void pause() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    /** Ends it, paused or not, without a word to anybody. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (RUNNING.remove(this)) {
            try {
                order("LEAVE");
            } catch (IOException e) {
                guard.destroyForcibly();
            }
        }
    }

    private void signal(String signal) {
        try {
            order(signal);
            reports.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void order(String order) throws IOException {
        orders.write(order + "\n");
        orders.flush();
    }
}
