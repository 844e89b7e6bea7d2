package io.github.zklock.faults;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Three servers in processes of their own that vote, and the ways between them. */
final class Ensemble implements AutoCloseable {

    static final int SIZE = 3;
    static final int TICK_MILLIS = 200;

    /*
     * A follower that is cut off notices after syncLimit ticks and turns its clients away. It must serve them for longer
     * than their session lasts, or nobody is ever misled by it. (M5)
     */
    private static final int SYNC_LIMIT = 20;
    // generous, so that a slow machine elects at leisure
    private static final int INIT_LIMIT = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern SEAT = Pattern.compile("-(lock-|__READ__|__WRIT__|permits-\\d+-of-\\d+-)\\d{10}");

    private final List<Integer> ports = Ports.free(3 * SIZE + SIZE * SIZE);
    private final List<List<Relay>> relays = new ArrayList<>();
    private final List<ServerProcess> servers;

    /** Starts all and waits until they serve. */
    Ensemble(Path folder) {
        deleteRecursively(folder);
        for (int from = 0; from < SIZE; from++) {
            List<Relay> ways = new ArrayList<>();
            for (int to = 0; to < SIZE; to++) {
                ways.add(new Relay(wayPort(from, to), quorumPort(to)));
            }
            relays.add(ways);
        }
        servers = IntStream.range(0, SIZE)
                .mapToObj(server -> new ServerProcess(
                        server + 1, folder.resolve("server-" + (server + 1)), clientPort(server), settings(server)))
                .toList();
        restore();
    }

    List<ServerProcess> servers() {
        return servers;
    }

    /** Of all servers but these. */
    String connectStringWithout(ServerProcess... left) {
        List<ServerProcess> without = List.of(left);
        return servers.stream()
                .filter(server -> !without.contains(server))
                .map(ServerProcess::connectString)
                .collect(joining(","));
    }

    ServerProcess leader() {
        return servers.stream().filter(ServerProcess::leads).findFirst().orElseThrow();
    }

    ServerProcess follower() {
        return servers.stream().filter(ServerProcess::follows).findFirst().orElseThrow();
    }

    /** The line in which a server describes its connection to the client of this session. */
    Optional<String> connection(ServerProcess server, String sessionId) {
        Pattern session = Pattern.compile("sid=0x0*" + sessionId + ",");
        return server.ask("cons")
                .lines()
                .filter(line -> session.matcher(line).find())
                .findFirst();
    }

    /** How many seats there are in the queues of all locks. */
    long seats() {
        return leader().ask("dump")
                .lines()
                .filter(line -> SEAT.matcher(line).find())
                .count();
    }

    /** Cuts a server off from the others until {@link #restore()}, not from its clients. Votes still get through. */
    void isolate(ServerProcess server) {
        waysOf(server).forEach(Relay::cut);
    }

    /** Makes good whatever was done and waits until all serve. */
    void restore() {
        relays.forEach(ways -> ways.forEach(Relay::heal));
        servers.forEach(ServerProcess::resume);
        servers.forEach(ServerProcess::start);
        Awaitility.await("all servers serve")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> servers.stream().filter(ServerProcess::leads).count() == 1
                        && servers.stream().filter(ServerProcess::follows).count() == SIZE - 1);
    }

    @Override
    public void close() {
        servers.forEach(ServerProcess::close);
        relays.forEach(ways -> ways.forEach(Relay::close));
    }

    private Stream<Relay> waysOf(ServerProcess server) {
        int index = servers.indexOf(server);
        return IntStream.range(0, SIZE)
                .boxed()
                .flatMap(other -> Stream.of(
                        relays.get(index).get(other), relays.get(other).get(index)));
    }

    /** Each server knows the others by the ways that lead from it to them. */
    private List<String> settings(int server) {
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=" + TICK_MILLIS,
                "initLimit=" + INIT_LIMIT,
                "syncLimit=" + SYNC_LIMIT,
                "maxClientCnxns=0",
                "4lw.commands.whitelist=srvr,cons,dump"));
        for (int other = 0; other < SIZE; other++) {
            int quorum = other == server ? quorumPort(other) : wayPort(server, other);
            lines.add("server.%d=127.0.0.1:%d:%d;127.0.0.1:%d"
                    .formatted(other + 1, quorum, electionPort(other), clientPort(other)));
        }
        return lines;
    }

    private int clientPort(int server) {
        return ports.get(server);
    }

    private int quorumPort(int server) {
        return ports.get(SIZE + server);
    }

    private int electionPort(int server) {
        return ports.get(2 * SIZE + server);
    }

    private int wayPort(int from, int to) {
        return ports.get(3 * SIZE + from * SIZE + to);
    }

    static void deleteRecursively(Path folder) {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
