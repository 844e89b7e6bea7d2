package io.github.zklock.faults.cluster;

import io.github.zklock.fixture.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.function.Uncheck;

/**
 * A network with a relay on every connection to a server, all on the loopback address. Needs no privileges. It works on
 * connections, not on packets: lost data stays lost, although TCP would have sent it again.
 */
final class Relays implements Network {

    /*
     * A server sends the addresses of all servers to its clients. Therefore the servers must be configured with the
     * relays' addresses, and still listen elsewhere on the same ports: for the servers, "localhost" resolves to another
     * address.
     */
    private static final String NAME = "localhost";
    private static final byte[] ADDRESS_FOR_SERVERS = {127, 0, 0, 2};
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private static final int CLIENTS = 0;
    private static final int QUORUM = 1;
    private static final int ELECTION = 2;
    private static final int WAYS = 3;

    private record ServerLink(int from, int to, Relay quorum, Relay election) {}

    private final int servers;
    private final List<Integer> ports;
    private final List<String> options;
    private final InetAddress inside;
    private final List<ServerLink> links = new ArrayList<>();
    private final List<Relay> acceptors = new ArrayList<>();

    Relays(int servers, Path folder) {
        this.servers = servers;
        this.ports = Ports.free((WAYS + 2 * servers) * servers);
        Path hosts = folder.resolve("hosts");
        this.inside = Uncheck.get(Relays::inside);
        ServerProcess.write(hosts, inside.getHostAddress() + " " + NAME + "\n");
        this.options = List.of("-Djdk.net.hosts.file=" + hosts);
        for (int to = 0; to < servers; to++) {
            acceptors.add(Relay.open(on(port(CLIENTS, to)), new InetSocketAddress(inside, port(CLIENTS, to))));
            for (int from = 0; from < servers; from++) {
                Relay quorum = Relay.forFollowers(on(quorumWay(from, to)), on(port(QUORUM, to)));
                Relay election = Relay.forElections(
                        on(electionWay(from, to)), on(port(ELECTION, to)), on(electionWay(to, from)));
                links.add(new ServerLink(from, to, quorum, election));
            }
        }
    }

    @Override
    public Endpoint endpoint(int server) {
        InetSocketAddress harnessTarget = new InetSocketAddress(inside, port(CLIENTS, server));
        return new Endpoint(List.of(), options, on(port(CLIENTS, server)), harnessTarget, inside);
    }

    @Override
    public String address(int from, int to) {
        boolean itself = from == to;
        return "127.0.0.1:%d:%d;%s:%d"
                .formatted(
                        itself ? port(QUORUM, to) : quorumWay(from, to),
                        itself ? port(ELECTION, to) : electionWay(from, to),
                        NAME,
                        port(CLIENTS, to));
    }

    @Override
    public void cut(int server, CutDirection direction) {
        for (ServerLink link : links) {
            if (link.from == server ? direction.out() : link.to == server && direction.in()) {
                link.quorum.cutRequests();
                link.election.cutRequests();
            }
            if (link.from == server ? direction.in() : link.to == server && direction.out()) {
                link.quorum.cutReplies();
                link.election.cutReplies();
            }
        }
    }

    @Override
    public void cutClients() {
        acceptors.forEach(Relay::cut);
    }

    @Override
    public void heal() {
        relays().forEach(Relay::heal);
    }

    @Override
    public void close() {
        relays().forEach(Relay::close);
    }

    private List<Relay> relays() {
        List<Relay> all = new ArrayList<>(acceptors);
        links.forEach(link -> all.addAll(List.of(link.quorum, link.election)));
        return all;
    }

    /** Not every system has a second loopback address of IPv4. */
    private static InetAddress inside() throws IOException {
        InetAddress second = InetAddress.getByAddress(ADDRESS_FOR_SERVERS);
        try (ServerSocket ignored = new ServerSocket(0, 1, second)) {
            return second;
        } catch (IOException absent) {
            byte[] other = new byte[16];
            other[other.length - 1] = 1;
            return InetAddress.getByAddress(other);
        }
    }

    private static InetSocketAddress on(int port) {
        return new InetSocketAddress(LOOPBACK, port);
    }

    /** Returns a port of the table that has a row for each purpose, and then one for the ways from each server. */
    private int port(int row, int server) {
        return ports.get(row * servers + server);
    }

    private int quorumWay(int from, int to) {
        return port(WAYS + from, to);
    }

    private int electionWay(int from, int to) {
        return port(WAYS + servers + from, to);
    }
}
