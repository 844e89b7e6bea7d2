package io.github.zklock.faults.cluster;

/**
 * What the servers of an ensemble are connected by, and their clients with them. What is sent can get lost in it, and
 * nobody is told. Servers are numbered from 0.
 */
interface Network extends AutoCloseable {

    ServerEndpoint endpoint(int server);

    /** Where a server finds another one, or itself: host, ports and client port as its configuration wants them. */
    String address(int from, int to);

    /** Loses what goes between this server and the others; its clients and the harness still reach it. */
    void cut(int server, CutDirection direction);

    /** Loses all that goes between clients and servers; the servers reach each other, and the harness reaches them. */
    void cutClients();

    /** Loses nothing any more. */
    void heal();

    @Override
    void close();
}
