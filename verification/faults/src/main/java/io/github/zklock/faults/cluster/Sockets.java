package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.apache.commons.io.function.Uncheck;

/** Opens and closes sockets of this machine. */
public final class Sockets {

    /** Any free port of the loopback address. */
    public static final InetSocketAddress ANYWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** Takes over a connection, in the thread that accepts all connections. */
    @FunctionalInterface
    public interface Service {
        void accept(Socket client) throws IOException;
    }

    private Sockets() {}

    public static ServerSocket listen(InetSocketAddress at) {
        return Uncheck.get(() -> new ServerSocket(at.getPort(), 0, at.getAddress()));
    }

    /** Passes each connection to a service, until the server socket is closed. */
    public static void acceptAll(ServerSocket acceptor, Service service) {
        while (!acceptor.isClosed()) {
            try {
                service.accept(acceptor.accept());
            } catch (IOException e) {
                // the server socket was closed, or the service has closed the connection
            }
        }
    }

    /** Parses an address such as {@code 127.0.0.1:2181}. */
    static InetSocketAddress address(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        return new InetSocketAddress(
                hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1)));
    }
}
