package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.Uncheck;
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
    private boolean changed;
    private boolean paused;

    /** @param settings the lines of its configuration, without its folder */
    ServerProcess(ServerRelease release, int id, Path folder, Network.Endpoint endpoint, List<String> settings) {
        this.release = release;
        this.name = "server-" + id;
        this.endpoint = endpoint;
        this.folder = folder;
        this.config = folder.resolve("zoo.cfg");
        this.settings = settings;
        write(folder.resolve("myid"), Integer.toString(id));
        configure(List.of());
    }

    /** Writes the configuration for the next start. If a key occurs twice, the server takes the later line. */
    private void configure(List<String> others) {
        List<String> lines = new ArrayList<>(settings);
        lines.add("dataDir=" + folder);
        lines.addAll(others);
        write(config, String.join("\n", lines) + "\n");
    }

    /** Writes a file, and creates its folder. */
    public static void write(Path file, String text) {
        Uncheck.run(() -> FileUtils.writeStringToFile(file.toFile(), text, StandardCharsets.UTF_8));
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

    public Path folder() {
        return folder;
    }

    ServerRelease release() {
        return release;
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

    /**
     * Stops this server, and changes its next start.
     *
     * @param others the last lines of its configuration
     * @param more further JVM options
     */
    void stop(List<String> others, List<String> more) {
        close();
        configure(others);
        moreOptions = more;
        changed = !others.isEmpty() || !more.isEmpty();
    }

    /** Stops this server if its configuration or its options differ from those of the others, and restores both. */
    void dropChanges() {
        if (changed) {
            stop(List.of(), List.of());
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
