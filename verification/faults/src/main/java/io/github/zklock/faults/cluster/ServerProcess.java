package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One ZooKeeper server of an ensemble in a JVM of its own. Its folder and ports stay the same over restarts. */
public final class ServerProcess implements AutoCloseable {

    private static final int ANSWER_MILLIS = 5_000;
    private static final String NOT_SERVING = "not currently serving requests";

    private final ServerRelease release;
    private final String name;
    private final Network.Endpoint endpoint;
    private final Path folder;
    private final Path config;
    private final List<String> settings;
    private @Nullable ChildProcess child;
    private List<String> moreOptions = List.of();
    private List<String> otherSettings = List.of();
    private boolean paused;

    /** @param settings the lines of its configuration, without its folder */
    ServerProcess(ServerRelease release, int id, Path folder, Network.Endpoint endpoint, List<String> settings) {
        this.release = release;
        this.name = "server-" + id;
        this.endpoint = endpoint;
        this.folder = folder;
        this.config = folder.resolve("zoo.cfg");
        this.settings = settings;
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("myid"), Integer.toString(id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        configure(List.of());
    }

    /** Writes the configuration for the next start. If a key occurs twice, the server takes the later line. */
    private void configure(List<String> others) {
        List<String> lines = new ArrayList<>(settings);
        lines.add("dataDir=" + folder);
        lines.addAll(others);
        try {
            Files.writeString(config, String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        otherSettings = others;
    }

    public String name() {
        return name;
    }

    public String connectString() {
        return endpoint.connectString();
    }

    public Path log() {
        return folder.resolve("server.log");
    }

    public Path transactionLogs() {
        return folder.resolve("version-2");
    }

    public TransactionLog transactionLog() {
        return new TransactionLog(transactionLogs());
    }

    Path folder() {
        return folder;
    }

    ServerRelease release() {
        return release;
    }

    /** Starts the server unless it runs, with further JVM options. */
    public void start(List<String> more) {
        moreOptions = more;
        start();
    }

    /** Starts the server unless it runs, with the options of its last start. */
    public void start() {
        if (isRunning()) {
            return;
        }
        // no fsync: data must survive a process, not a power cut; slow disks have scenarios of their own
        List<String> options = new ArrayList<>(endpoint.options());
        options.addAll(List.of(
                "-Xmx256m",
                "-Dzookeeper.forceSync=no",
                "-Dzookeeper.preAllocSize=4096",
                "-Dzookeeper.admin.enableServer=false",
                "-Dzookeeper.jmx.log4j.disable=true"));
        options.addAll(moreOptions);
        child = ChildProcess.start(
                name,
                new Jvm(Jdk.own(), release.jars(), endpoint.launcher(), options, Map.of()).shortLived(),
                log(),
                Redirect.appendTo(log().toFile()),
                List.of(ServerMain.class.getName(), config.toString()));
    }

    /** Restarts this server with these lines at the end of its configuration. */
    void restart(List<String> others) {
        close();
        configure(others);
        start();
    }

    /** Stops this server if its configuration differs from that of the others, and restores the configuration. */
    void dropSettings() {
        if (!otherSettings.isEmpty()) {
            close();
            configure(List.of());
        }
    }

    /** Stops this server if it runs with further options. */
    void dropOptions() {
        if (!moreOptions.isEmpty()) {
            close();
            moreOptions = List.of();
        }
    }

    public void pause() {
        running().pause();
        paused = true;
    }

    public void resume() {
        if (paused) {
            running().resume();
            paused = false;
        }
    }

    /** Makes each commit take this long, until the disk is healed. */
    public void slowDisk(Duration time) {
        FaultyDisk.slow(folder, time);
    }

    /** Makes each commit fail, until the disk is healed. */
    public void fullDisk() {
        FaultyDisk.fill(folder);
    }

    public void healDisk() {
        FaultyDisk.heal(folder);
    }

    /**
     * Returns the answer to a four-letter word of ZooKeeper; empty if the server does not serve or does not answer in
     * time.
     */
    public Optional<String> ask(String word) {
        return answerTo(word).filter(answer -> !answer.contains(NOT_SERVING));
    }

    public boolean leads() {
        return isInMode("leader");
    }

    public boolean follows() {
        return isInMode("follower");
    }

    /**
     * Returns whether the server has ended or answers that it does not serve. A server that does not answer may only be
     * slow.
     */
    public boolean hasGivenUp() {
        return !isRunning()
                || answerTo("srvr")
                        .filter(answer -> answer.contains(NOT_SERVING))
                        .isPresent();
    }

    private boolean isInMode(String mode) {
        return ask("srvr").filter(answer -> answer.contains("Mode: " + mode)).isPresent();
    }

    private Optional<String> answerTo(String word) {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(endpoint.harnessSource(), 0));
            socket.connect(endpoint.harnessTarget(), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write(word.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            // every answer ends with a line break, also one without content
            return Optional.of(answer).filter(text -> !text.isEmpty());
        } catch (IOException silent) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        if (child != null) {
            child.close();
            child = null;
            paused = false;
        }
    }

    private boolean isRunning() {
        return child != null && child.isAlive();
    }

    private ChildProcess running() {
        if (child == null) {
            throw new IllegalStateException(name + " is not running");
        }
        return child;
    }
}
