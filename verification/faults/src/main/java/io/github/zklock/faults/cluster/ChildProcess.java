package io.github.zklock.faults.cluster;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A JVM of our own that can be paused, killed and never outlives this one. */
public final class ChildProcess implements AutoCloseable {

    /*
     * A shell beside each child sends the signals: it is there before the moment that matters, and when this JVM is gone
     * without having run its hooks, the end of its input is its order to kill the child, which may be stopped and could
     * not end itself. Signals that are meant for this JVM reach its whole group, and must not end the shell. It leaves
     * when the child has ended, in whatever way.
     */
    private static final String GUARD =
            "trap '' INT TERM HUP; while read -r s; do [ $s = LEAVE ] && exit 0; kill -$s $1; echo done; done; kill -KILL $1";

    private static final Set<ChildProcess> RUNNING = ConcurrentHashMap.newKeySet();
    /** This JVM is about to go: written before those that run are ended, and read after another one is among them. */
    private static final AtomicBoolean ENDING = new AtomicBoolean();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ChildProcess::endAll, "end-children"));
    }

    private static void endAll() {
        ENDING.set(true);
        RUNNING.forEach(ChildProcess::close);
    }

    private final String name;
    private final Process process;
    private final Process guard;
    private final BufferedWriter commands;
    private final BufferedReader reports;

    private ChildProcess(String name, Process process) throws IOException {
        this.name = name;
        this.process = process;
        this.guard = new ProcessBuilder("sh", "-c", GUARD, "guard", Long.toString(process.pid()))
                .redirectError(Redirect.DISCARD)
                .start();
        this.commands = guard.outputWriter();
        this.reports = guard.inputReader();
    }

    /** Starts a JVM. What it writes to its error output goes to the log, appended. */
    public static ChildProcess start(String name, Jvm jvm, Path log, Redirect output, List<String> mainAndArgs) {
        List<String> command = new ArrayList<>(jvm.launcher());
        command.add(jvm.jdk().launcher().toString());
        command.add("-Dlogback.configurationFile=child-logback.xml");
        command.addAll(jvm.options());
        List<String> classPath = new ArrayList<>(jvm.classes());
        classPath.add(System.getProperty("java.class.path"));
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
        command.addAll(mainAndArgs);
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(output).redirectError(Redirect.appendTo(log.toFile()));
            builder.environment().putAll(jvm.environment());
            return guarded(name, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing hangs on what the stage returns
    private static ChildProcess guarded(String name, Process process) throws IOException {
        try {
            ChildProcess child = new ChildProcess(name, process);
            RUNNING.add(child);
            process.onExit().thenAccept(ended -> child.dismissGuard());
            if (ENDING.get()) {
                child.close();
            }
            return child;
        } catch (IOException | RuntimeException | Error unguarded) {
            process.destroyForcibly();
            throw unguarded;
        }
    }

    public String name() {
        return name;
    }

    public Process process() {
        return process;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Stops it where it stands: no thread of it runs until {@link #resume()}. */
    public void pause() {
        signal("STOP");
    }

    public void resume() {
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
        dismissGuard();
    }

    private void dismissGuard() {
        if (RUNNING.remove(this)) {
            try {
                send("LEAVE");
            } catch (IOException e) {
                guard.destroyForcibly();
            }
        }
    }

    /** Asks it to end; its streams stay open, so that what it says until its end can be read. */
    public void terminate() {
        signal("TERM");
    }

    private void signal(String signal) {
        try {
            send(signal);
            reports.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " gets no " + signal + ": its guard has left, as it has ended", e);
        }
    }

    private void send(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
    }
}
