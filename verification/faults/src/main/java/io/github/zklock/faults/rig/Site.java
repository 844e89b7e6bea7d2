package io.github.zklock.faults.rig;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Where a server lives on its network.
 *
 * @param launcher what a command must begin with to run there
 * @param options what a JVM needs to live there
 * @param clients where clients find it
 * @param door where the harness finds it, whatever is cut
 * @param visitor whence the harness comes to the door
 */
record Site(
        List<String> launcher,
        List<String> options,
        InetSocketAddress clients,
        InetSocketAddress door,
        InetAddress visitor) {

    String connectString() {
        return clients.getAddress().getHostAddress() + ":" + clients.getPort();
    }
}
