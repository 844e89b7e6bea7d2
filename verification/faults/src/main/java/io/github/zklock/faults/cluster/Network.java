package io.github.zklock.faults.cluster;

/**
 * The network between the servers of an ensemble and their clients. It can lose packets without notice. Servers are
 * numbered from 0.
 */
interface Network extends AutoCloseable {

    ServerEndpoint endpoint(int server);

    /**
     * Returns the address under which a server reaches another one or itself, as its configuration needs it: host,
     * ports and client port.
     */
    String address(int from, int to);

    /** Loses all packets between this server and the others; clients and the harness still reach it. */
    void cut(int server, CutDirection direction);

    /** Loses all packets between clients and servers; the servers reach each other, and the harness reaches them. */
    void cutClients();

    /** Ends all losses. */
    void heal();

    @Override
    void close();
}
