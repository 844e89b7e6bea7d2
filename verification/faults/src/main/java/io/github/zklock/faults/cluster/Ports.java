package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Free ports of the loopback address. */
public final class Ports {

    // below the range of outgoing connections, so that a server that is down keeps its port
    private static final int LOWEST = 11_000;
    private static final int HIGHEST = 31_000;

    private Ports() {}

    public static List<Integer> free(int count) {
        int start = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
        return IntStream.range(start, Character.MAX_VALUE)
                .filter(Ports::isFree)
                .limit(count)
                .boxed()
                .toList();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
