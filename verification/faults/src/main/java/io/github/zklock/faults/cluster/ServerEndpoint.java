package io.github.zklock.faults.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Where a server lives on its network.
 *
 * @param launcher what a command must begin with to run there
 * @param options what a JVM needs to live there
 * @param clientAddress where clients find it
 * @param harnessTarget where the harness finds it, whatever is cut
 * @param harnessSource whence the harness comes to the door
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
