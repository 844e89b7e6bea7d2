package io.github.zklock.benchmarks.cluster;

import io.github.zklock.faults.cluster.ChildProcess;
import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.Jvm;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.fixture.Ports;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.awaitility.Awaitility;

/** An ensemble of three ZooKeeper servers in processes of their own, on this machine. */
public final class Cluster implements AutoCloseable {

    /**
     * The interval at which the servers delete unused containers. By default they do so once a minute, at most 10,000
     * each time.
     */
    public static final Duration COLLECTION = Duration.ofSeconds(5);

    /**
     * Compiles code after a tenth of the usual number of calls. Code that runs a few hundred times a second would
     * otherwise stay uncompiled for longer than a round, and then be compiled on the measured cores.
     */
    public static final String COMPILE_EARLY = "-XX:CompileThresholdScaling=0.1";

    private static final List<String> OPTIONS = List.of(
            "-Xms256m",
            "-Xmx1g",
            COMPILE_EARLY,
            "-Dzookeeper.admin.enableServer=false",
            "-Dznode.container.checkIntervalMs=" + COLLECTION.toMillis(),
            "-Dznode.container.maxPerMinute=1000000");

    private static final int SIZE = 3;

    /** Long sessions keep the heartbeats of idle systems rare. */
    private static final Duration LONGEST_SESSION = Duration.ofMinutes(10);

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final String LEADER = "zk_server_state\tleader";

    /** Invariant: the ports of the followers come first. */
    private final List<Integer> ports = new ArrayList<>();

    private final List<ChildProcess> servers = new ArrayList<>();

    /**
     * Starts all servers, and waits until they serve.
     *
     * @param folder a new folder
     * @param disks whether each write waits for the disk. Otherwise it does not: the systems differ in the number and size of
     *     their requests, and a disk adds the same to each write.
     */
    public Cluster(Path folder, boolean disks) {
        List<Integer> free = Ports.free(3 * SIZE);
        ports.addAll(free.subList(0, SIZE));
        try {
            for (int id = 1; id <= SIZE; id++) {
                Path home = folder.resolve("server-" + id);
                ServerProcess.write(home.resolve("myid"), Integer.toString(id));
                ServerProcess.write(home.resolve("zoo.cfg"), settings(id, home, free));
                servers.add(start(id, home, disks));
            }
            Awaitility.await("three servers that serve")
                    .atMost(MAX_WAIT)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> ports.stream()
                                    .filter(port -> ask(port, "srvr").contains("Mode: "))
                                    .count()
                            == SIZE);
            ports.sort(Comparator.comparing(port -> ask(port, "mntr").contains(LEADER)));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Returns the client ports: those of the followers, then that of the leader. */
    public List<Integer> ports() {
        return List.copyOf(ports);
    }

    public List<ProcessHandle> processes() {
        return servers.stream().map(server -> server.process().toHandle()).toList();
    }

    /** Returns the number of watches on all servers together. */
    public long watches() {
        return ports.stream()
                .mapToLong(port -> number(ask(port, "mntr"), "zk_watch_count"))
                .sum();
    }

    @Override
    public void close() {
        servers.forEach(ChildProcess::close);
    }

    private static long number(String answer, String key) {
        return answer.lines()
                .filter(line -> line.startsWith(key + "\t"))
                .mapToLong(line -> Long.parseLong(line.substring(key.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No " + key + " in '" + answer + "'"));
    }

    /** Returns a server's answer to a four-letter word of ZooKeeper; empty if the server does not answer. */
    private static String ask(int port, String word) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException absent) {
            return "";
        }
    }

    private static String settings(int id, Path home, List<Integer> ports) {
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=2000",
                "initLimit=10",
                "syncLimit=5",
                "maxSessionTimeout=" + LONGEST_SESSION.toMillis(),
                "maxClientCnxns=0",
                "4lw.commands.whitelist=srvr,mntr",
                "clientPortAddress=127.0.0.1",
                "clientPort=" + ports.get(id - 1),
                "dataDir=" + home));
        for (int server = 1; server <= SIZE; server++) {
            lines.add("server.%d=127.0.0.1:%d:%d"
                    .formatted(server, ports.get(SIZE + server - 1), ports.get(2 * SIZE + server - 1)));
        }
        return String.join("\n", lines) + "\n";
    }

    private static ChildProcess start(int id, Path home, boolean disks) {
        List<String> options = new ArrayList<>(OPTIONS);
        options.add("-Dzookeeper.forceSync=" + (disks ? "yes" : "no"));
        options.add("-Dlogback.configurationFile=benchmarks-logback.xml");
        Path log = home.resolve("server.log");
        return ChildProcess.start(
                "server-" + id,
                Jvm.of(Jdk.own(), List.of(), options),
                log,
                Redirect.appendTo(log.toFile()),
                List.of(
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        home.resolve("zoo.cfg").toString()));
    }
}
