package io.github.zklock.faults.cluster;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.function.Uncheck;
import org.awaitility.Awaitility;

/** An ensemble of three servers in processes of their own, and the network between them. */
public final class Ensemble implements AutoCloseable {

    public static final int SIZE = 3;
    public static final int TICK_MILLIS = 200;

    /** The session timeout of clients, unless a scenario needs another one. */
    public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(3);

    /** The longest session timeout that the servers grant. */
    private static final Duration LONGEST_SESSION_TIMEOUT = Duration.ofSeconds(60);

    /*
     * An isolated follower notices the isolation after syncLimit ticks, and disconnects its clients. It must serve them
     * for longer than their session timeout: otherwise no client ever reads stale data from it. (M5)
     */
    private static final int SYNC_LIMIT = 20;
    // generous, for elections on a slow machine
    private static final int INIT_LIMIT = 50;
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final Pattern SEAT = Pattern.compile("-(lock-|__READ__|__WRIT__|permits-\\d+-of-\\d+-)-?\\d{10}");

    private final Network network;
    private final List<ServerProcess> servers = new ArrayList<>();

    /** Starts all servers, and waits until they serve. */
    public Ensemble(ServerRelease release, Path folder) {
        Uncheck.run(() -> FileUtils.deleteDirectory(folder.toFile()));
        network = Network.open(SIZE, folder);
        try {
            for (int server = 0; server < SIZE; server++) {
                String name = "server-" + (server + 1);
                servers.add(new ServerProcess(
                        release, server + 1, folder.resolve(name), network.endpoint(server), settings(server)));
            }
            restore();
            servers.forEach(server -> requireRelease(server, release));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Names the network of all ensembles and, for relays, the reason. */
    public static String network() {
        return Network.OBSTACLE.map(obstacle -> "relays, as " + obstacle).orElse("namespaces");
    }

    public List<ServerProcess> servers() {
        return List.copyOf(servers);
    }

    /** Returns the connect string of all servers but these. */
    public String connectStringWithout(ServerProcess... left) {
        List<ServerProcess> without = List.of(left);
        return servers.stream()
                .filter(server -> !without.contains(server))
                .map(ServerProcess::connectString)
                .collect(joining(","));
    }

    /** Waits for a leader, and returns it. */
    public ServerProcess leader() {
        return await("a leader", () -> first(ServerProcess::leads));
    }

    /** Waits for a follower, and returns the first one. */
    public ServerProcess follower() {
        return await("a follower", () -> first(ServerProcess::follows));
    }

    /** Returns the server to which the client of this session is connected; empty if none answers with it. */
    public Optional<ServerProcess> serverOf(String sessionId) {
        return servers().stream()
                .filter(server -> connection(server, sessionId).isPresent())
                .findFirst();
    }

    /**
     * Returns the line in which a server describes its connection to the client of this session; empty also if the
     * server does not answer.
     */
    public Optional<String> connection(ServerProcess server, String sessionId) {
        Pattern session = Pattern.compile("sid=0x0*" + sessionId + ",");
        return server.ask("cons")
                .flatMap(answer -> answer.lines()
                        .filter(line -> session.matcher(line).find())
                        .findFirst());
    }

    /**
     * Waits for the answer of a leader, and returns the number of seats in queues.
     *
     * @param counted selects seats by their paths
     */
    public long seats(Predicate<String> counted) {
        return await("a leader that answers", () -> first(ServerProcess::leads).flatMap(leader -> leader.ask("dump")))
                .lines()
                .map(String::strip)
                .filter(path -> SEAT.matcher(path).find() && counted.test(path))
                .count();
    }

    private Optional<ServerProcess> first(Predicate<ServerProcess> wanted) {
        return servers.stream().filter(wanted).findFirst();
    }

    private static <T> T await(String what, Callable<Optional<T>> look) {
        return Awaitility.await(what)
                .atMost(MAX_WAIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(look, Optional::isPresent)
                .orElseThrow();
    }

    /**
     * Returns whether a server has answered a request on a connection of this session: then the client knows the
     * session timeout.
     */
    public boolean hasAnswered(String sessionId) {
        // ServerCnxn.lastOp, until a request other than the connect request is answered
        return first(server -> connection(server, sessionId)
                        .filter(line -> !line.contains("lop=NA,") && !line.contains("lop=SESS,"))
                        .isPresent())
                .isPresent();
    }

    /**
     * Isolates a server from the other servers in one direction or both, until {@link #restore()}; its clients still
     * reach it.
     */
    public void isolate(ServerProcess server, CutDirection direction) {
        network.cut(servers.indexOf(server), direction);
    }

    /** Cuts all clients off from all servers until {@link #restore()}. */
    public void isolateClients() {
        network.cutClients();
    }

    /** Restarts all servers with further JVM options, until {@link #restore()}. */
    public void restartWith(List<String> options) {
        servers.forEach(server -> server.stop(List.of(), options));
        servers.forEach(ServerProcess::start);
        awaitService();
    }

    /**
     * Restarts one server with further lines of configuration, until {@link #restore()}, and waits until all servers
     * serve.
     *
     * @param settings such as {@code maxSessionTimeout=1000}; none restores the usual configuration
     */
    public void restart(ServerProcess server, List<String> settings) {
        server.stop(settings, List.of());
        server.start();
        awaitService();
    }

    /**
     * Restarts all servers, each with further lines of configuration, until {@link #restore()}, and waits until all
     * serve. The last server starts first, so that it leads: of servers with the same transactions, the one with the
     * highest id wins the election.
     */
    public void restartAll(List<List<String>> settings) {
        for (int server = 0; server < SIZE; server++) {
            servers.get(server).stop(settings.get(server), List.of());
        }
        for (int server = SIZE - 1; server >= 0; server--) {
            servers.get(server).start();
        }
        awaitService();
    }

    /** Ends every cut of the network. */
    public void reconnect() {
        network.heal();
    }

    /** Ends all faults, and waits until all servers serve. */
    public void restore() {
        servers.forEach(ServerProcess::dropChanges);
        servers.forEach(server -> FaultyDisk.heal(server.folder()));
        servers.forEach(server -> SlowLog.heal(server.folder()));
        network.heal();
        servers.forEach(ServerProcess::resume);
        servers.forEach(ServerProcess::start);
        awaitService();
    }

    private void awaitService() {
        Awaitility.await("all servers serve")
                .atMost(MAX_WAIT)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> servers.stream().filter(ServerProcess::leads).count() == 1
                        && servers.stream().filter(ServerProcess::follows).count() == SIZE - 1);
    }

    @Override
    public void close() {
        try {
            servers.forEach(ServerProcess::close);
        } finally {
            network.close();
        }
    }

    private static void requireRelease(ServerProcess server, ServerRelease release) {
        String answer = await("what " + server.name() + " is", () -> server.ask("srvr"));
        if (!answer.startsWith("Zookeeper version: " + release.version() + "-")) {
            throw new IllegalStateException(
                    "%s should be of release %s, but answers '%s'".formatted(server.name(), release, answer));
        }
    }

    /** Each server reaches the others at the addresses that the network assigns. */
    private List<String> settings(int server) {
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=" + TICK_MILLIS,
                "initLimit=" + INIT_LIMIT,
                "syncLimit=" + SYNC_LIMIT,
                "maxSessionTimeout=" + LONGEST_SESSION_TIMEOUT.toMillis(),
                "maxClientCnxns=0",
                "4lw.commands.whitelist=srvr,cons,dump,wchp,mntr"));
        for (int other = 0; other < SIZE; other++) {
            lines.add("server.%d=%s".formatted(other + 1, network.address(server, other)));
        }
        return lines;
    }
}
