package io.github.zklock.benchmarks.cluster;

import io.github.zklock.faults.cluster.DaemonThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A proxy to one server that delays and counts all messages. */
public final class CountingProxy implements AutoCloseable {

    private final Duration delay;
    private final TrafficCounter toServers = new TrafficCounter();
    private final TrafficCounter toClients = new TrafficCounter();
    private final ServerSocket acceptor;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** @param delay of each message, in each direction */
    public CountingProxy(int port, Duration delay) {
        this.delay = delay;
        try {
            acceptor = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DaemonThreads.start("proxy-acceptor-" + port, () -> serve(port));
    }

    public String address() {
        return "127.0.0.1:" + acceptor.getLocalPort();
    }

    public Traffic traffic() {
        return new Traffic(
                toServers.requests(), toServers.pings(), toClients.events(), toServers.bytes() + toClients.bytes());
    }

    @Override
    public void close() {
        close(acceptor);
        sockets.forEach(CountingProxy::close);
    }

    private void serve(int port) {
        try {
            while (true) {
                Socket client = open(acceptor.accept());
                Socket server = open(new Socket());
                server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                connect(client, server, toServers);
                connect(server, client, toClients);
            }
        } catch (IOException closed) {
            // the proxy was closed, or the server is down: the client's connection is lost
            close(acceptor);
        }
    }

    private void connect(Socket from, Socket to, TrafficCounter counter) {
        Pipe pipe = new Pipe(from, to, delay, new FrameCounter(counter));
        DaemonThreads.start("proxy-reader", pipe::read);
        DaemonThreads.start("proxy-writer", pipe::write);
    }

    private Socket open(Socket socket) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        sockets.add(socket);
        return socket;
    }

    private static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            throw new IllegalStateException("Cannot close " + socket, e);
        }
    }
}
