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
import org.apache.commons.io.function.Uncheck;

/** A JVM that can be paused and killed, and that never outlives this JVM. */
public final class ChildProcess implements AutoCloseable {

    /*
     * A shell beside each child sends the signals. It starts with the child, so that a signal needs no new process. If
     * this JVM ends without running its hooks, the end of the shell's input makes it kill the child, which may be
     * paused and cannot end itself. The shell ignores signals that are sent to the process group of this JVM. It ends
     * when the child has ended.
     */
    private static final String GUARD =
            "trap '' INT TERM HUP; while read -r s; do [ $s = LEAVE ] && exit 0; kill -$s $1; echo done; done; kill -KILL $1";

    private static final Set<ChildProcess> RUNNING = ConcurrentHashMap.newKeySet();
    /**
     * This JVM is about to end. Invariant: set before the running children are killed, and read after a new child is
     * registered.
     */
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

    /** Starts a JVM. Its error output is appended to the log. */
    public static ChildProcess start(String name, Jvm jvm, Path log, Redirect output, List<String> mainAndArgs) {
        List<String> command = new ArrayList<>(jvm.launcher());
        command.add(jvm.jdk().launcher().toString());
        command.add("-Dlogback.configurationFile=child-logback.xml");
        command.addAll(jvm.options());
        List<String> classPath = new ArrayList<>(jvm.classes());
        classPath.add(System.getProperty("java.class.path"));
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
        command.addAll(mainAndArgs);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(output).redirectError(Redirect.appendTo(log.toFile()));
        builder.environment().putAll(jvm.environment());
        return Uncheck.get(() -> guarded(name, builder.start()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the returned stage is not needed
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

    /** Pauses the process: none of its threads runs until {@link #resume()}. */
    public void pause() {
        signal("STOP");
    }

    public void resume() {
        signal("CONT");
    }

    /** Kills the process, paused or not. */
    @Override
    public void close() {
        // not by the process itself, which would close its streams: the output that is not read yet would be lost
        process.toHandle().destroyForcibly();
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

    /** Sends SIGTERM. The streams stay open, so that the remaining output can be read. */
    public void terminate() {
        signal("TERM");
    }

    private void signal(String signal) {
        try {
            send(signal);
            reports.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " gets no " + signal + ": its guard has ended with it", e);
        }
    }

    private void send(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
    }
}
