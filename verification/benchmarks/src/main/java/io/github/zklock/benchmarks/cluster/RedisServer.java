package io.github.zklock.benchmarks.cluster;

import io.github.zklock.faults.cluster.Ports;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** One Redis server, if the command is installed. */
public final class RedisServer implements AutoCloseable {

    private static final Duration MAX_WAIT = Duration.ofSeconds(20);

    // the end of its input, however this JVM ends, makes the shell kill the server
    private static final String GUARDED =
            "trap '' INT TERM HUP; \"$1\" --bind 127.0.0.1 --port \"$2\" --save '' --appendonly no & cat; kill -KILL $!";

    private final Process shell;
    private final int port;

    private RedisServer(Path command, Path log) throws IOException {
        port = Ports.free(1).get(0);
        shell = new ProcessBuilder("sh", "-c", GUARDED, "redis", command.toString(), Integer.toString(port))
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .redirectErrorStream(true)
                .start();
    }

    /** Returns whether a server can be started. */
    public static boolean isInstalled() {
        return command().isPresent();
    }

    /** Starts a server if possible, and waits until it answers. */
    public static Optional<RedisServer> start(Path log) throws IOException {
        Optional<Path> command = command();
        if (command.isEmpty()) {
            return Optional.empty();
        }
        RedisServer redis = new RedisServer(command.get(), log);
        try {
            Awaitility.await("a Redis server that answers").atMost(MAX_WAIT).until(redis::answers);
            return Optional.of(redis);
        } catch (RuntimeException | Error e) {
            redis.close();
            throw e;
        }
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

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static Optional<Path> command() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "redis-server"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
