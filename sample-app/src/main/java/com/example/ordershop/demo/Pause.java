package com.example.ordershop.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A process that is stopped where it stands: no thread of it runs until this is closed.
 *
 * <p>The signals are sent by a shell, which sends the second one when its input ends. So a process that is stopped does not
 * stay so for ever if this JVM is killed: it goes on, and finds the end of its own input.
 */
final class Pause implements AutoCloseable {

    private static final String STOP_AND_GO_ON =
            "trap '' INT HUP TERM; kill -STOP $1 && echo stopped; read -r end; kill -CONT $1";

    private final Process shell;

    private Pause(Process shell) {
        this.shell = shell;
    }

    /** Whether processes can be stopped here. */
    static boolean isPossible() {
        return !System.getProperty("os.name").startsWith("Windows");
    }

    /** Returns when the signal has been sent. */
    static Pause of(long pid) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", STOP_AND_GO_ON, "pause", Long.toString(pid))
                    .redirectErrorStream(true)
                    .start();
            Pause pause = new Pause(shell);
            BufferedReader reports = shell.inputReader();
            String report = reports.readLine();
            if (!"stopped".equals(report)) {
                pause.close();
                throw new StageException("Process " + pid + " cannot be stopped: " + report);
            }
            return pause;
        } catch (IOException e) {
            throw new StageException("Process " + pid + " cannot be stopped, there is no shell: " + e.getMessage(), e);
        }
    }

    /** Lets it go on. Idempotent. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            shell.waitFor(ChildJvm.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (IOException gone) {
            // it has sent the signal before it ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
