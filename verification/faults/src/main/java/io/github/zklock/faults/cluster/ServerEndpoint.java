package io.github.zklock.faults.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Where a server runs, and how to reach it.
 *
 * @param launcher the beginning of a command that runs there
 * @param options JVM options that a server needs there
 * @param clientAddress the address for clients
 * @param harnessTarget the address for the harness, which no cut affects
 * @param harnessSource the source address of the harness
 */
record ServerEndpoint(
        List<String> launcher,
        List<String> options,
        InetSocketAddress clientAddress,
        InetSocketAddress harnessTarget,
        InetAddress harnessSource) {

    String connectString() {
        return clientAddress.getAddress().getHostAddress() + ":" + clientAddress.getPort();
    }
}
