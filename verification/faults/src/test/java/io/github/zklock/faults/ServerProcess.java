package io.github.zklock.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.jspecify.annotations.Nullable;

/** One ZooKeeper server of an ensemble in a JVM of its own, with a folder and ports that it keeps over restarts. */
final class ServerProcess implements AutoCloseable {

    private static final int ANSWER_MILLIS = 500;

    private final String name;
    private final int clientPort;
    private final Path folder;
    private final Path config;
    private @Nullable ChildProcess child;
    private boolean paused;

    /** @param settings the lines of its configuration, but for its folder */
    ServerProcess(int id, Path folder, int clientPort, List<String> settings) {
        this.name = "server-" + id;
        this.clientPort = clientPort;
        this.folder = folder;
        this.config = folder.resolve("zoo.cfg");
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("myid"), Integer.toString(id));
            Files.writeString(config, String.join("\n", settings) + "\ndataDir=" + folder + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    String connectString() {
        return "127.0.0.1:" + clientPort;
    }

    Path log() {
        return folder.resolve("server.log");
    }

    Path transactionLogs() {
        return folder.resolve("version-2");
    }

    void start() {
        if (child != null && child.isAlive()) {
            return;
        }
        // no fsync: it outlives its processes, not a power cut, and a slow disk is another scenario
        List<String> options = List.of(
                "-Xmx256m",
                "-Dzookeeper.forceSync=no",
                "-Dzookeeper.preAllocSize=4096",
                "-Dzookeeper.admin.enableServer=false",
                "-Dzookeeper.jmx.log4j.disable=true");
        child = ChildProcess.java(
                name,
                log(),
                Redirect.appendTo(log().toFile()),
                options,
                List.of(QuorumPeerMain.class.getName(), config.toString()));
    }

    void kill() {
        close();
    }

    void pause() {
        running().pause();
        paused = true;
    }

    void resume() {
        if (paused) {
            running().resume();
            paused = false;
        }
    }

    /** The answer to one of ZooKeeper's four-letter words; empty if there is none in time. */
    String ask(String word) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), clientPort), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write(word.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException silent) {
            return "";
        }
    }

    boolean leads() {
        return ask("srvr").contains("Mode: leader");
    }

    boolean follows() {
        return ask("srvr").contains("Mode: follower");
    }

    @Override
    public void close() {
        if (child != null) {
            child.close();
            child = null;
            paused = false;
        }
    }

    private ChildProcess running() {
        if (child == null) {
            throw new IllegalStateException(name + " is not running");
        }
        return child;
    }
}
