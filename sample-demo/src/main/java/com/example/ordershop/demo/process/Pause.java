package com.example.ordershop.demo.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A pause of a process (SIGSTOP): none of its threads runs until {@link #close()} (SIGCONT).
 *
 * <p>A shell sends both signals, the second one at the end of its input. If this JVM is killed, the input of the shell ends, the
 * paused process continues, and {@link ExitWithParent} halts it.
 */
public final class Pause implements AutoCloseable {

    private static final String STOP_AND_CONTINUE =
            "trap '' INT HUP TERM; kill -STOP $1 && echo stopped; read -r end; kill -CONT $1";

    private final Process shell;

    private Pause(Process shell) {
        this.shell = shell;
    }

    /** Returns whether the operating system has SIGSTOP. */
    public static boolean isPossible() {
        return !System.getProperty("os.name").startsWith("Windows");
    }

    /** Pauses the process and returns after the signal was sent. */
    static Pause of(long pid) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", STOP_AND_CONTINUE, "pause", Long.toString(pid))
                    .redirectErrorStream(true)
                    .start();
            Pause pause = new Pause(shell);
            BufferedReader reports = shell.inputReader();
            String report = reports.readLine();
            if (!"stopped".equals(report)) {
                pause.close();
                throw new ScenarioException("Process " + pid + " cannot be stopped: " + report);
            }
            return pause;
        } catch (IOException e) {
            throw new ScenarioException(
                    "Process " + pid + " cannot be stopped, there is no shell: " + e.getMessage(), e);
        }
    }

    /** Continues the process. Idempotent. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            shell.waitFor(ChildJvm.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (IOException gone) {
            // the shell sends the signal before it ends
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
