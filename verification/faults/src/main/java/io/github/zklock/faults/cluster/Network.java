package io.github.zklock.faults.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The network between the servers of an ensemble and their clients. It can lose packets without notice. Servers are
 * numbered from 0.
 */
interface Network extends AutoCloseable {

    /** The reason against namespaces, without which there are relays. */
    Optional<String> OBSTACLE = "relays".equals(System.getenv("FAULTS_NETWORK"))
            ? Optional.of("FAULTS_NETWORK demands it")
            : Namespaces.obstacle();

    /**
     * Where a server runs, and how to reach it.
     *
     * @param launcher the beginning of a command that runs there
     * @param options JVM options that a server needs there
     * @param clientAddress the address for clients
     * @param harnessTarget the address for the harness, which no cut affects
     * @param harnessSource the source address of the harness
     */
    record Endpoint(
            List<String> launcher,
            List<String> options,
            InetSocketAddress clientAddress,
            InetSocketAddress harnessTarget,
            InetAddress harnessSource) {

        String connectString() {
            return clientAddress.getAddress().getHostAddress() + ":" + clientAddress.getPort();
        }
    }

    /** Opens namespaces if possible, otherwise relays, which keep files for the servers in the folder. */
    static Network open(int servers, Path folder) {
        return OBSTACLE.isEmpty() ? new Namespaces(servers) : new Relays(servers, folder);
    }

    Endpoint endpoint(int server);

    /**
     * Returns the address under which a server reaches another one or itself, as its configuration needs it: host,
     * ports and client port.
     */
    String address(int from, int to);

    /** Loses all packets between this server and the others; clients and the harness still reach it. */
    void cut(int server, CutDirection direction);

    /** Loses all packets between clients and servers; the servers reach each other, and the harness reaches them. */
    void cutClients();

    void heal();

    @Override
    void close();
}
