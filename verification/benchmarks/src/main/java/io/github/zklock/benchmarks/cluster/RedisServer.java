package io.github.zklock.benchmarks.cluster;

import io.github.zklock.fixture.Ports;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** One Redis server. */
public final class RedisServer implements AutoCloseable {

    private static final String COMMAND = "redis-server";

    // the end of its input, however this JVM ends, makes the shell kill the server
    private static final String GUARDED = "trap '' INT TERM HUP; " + COMMAND
            + " --bind 127.0.0.1 --port \"$1\" --save '' --appendonly no & exec >/dev/null 2>&1; cat; kill -KILL $!";

    private final Process shell;
    private final int port = Ports.free();

    /** Starts the server, and waits until it accepts connections. */
    public RedisServer() throws IOException {
        shell = new ProcessBuilder("sh", "-c", GUARDED, "redis", Integer.toString(port))
                .redirectErrorStream(true)
                .start();
        if (shell.inputReader().lines().noneMatch(line -> line.contains("Ready to accept connections"))) {
            close();
            throw new IOException("The Redis server has ended");
        }
    }

    /** Returns whether a server can be started. */
    public static boolean isInstalled() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, COMMAND)));
    }

    public List<ProcessHandle> processes() {
        return shell.descendants().toList();
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            shell.waitFor();
        } catch (IOException gone) {
            // it has already ended
            shell.destroy();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
