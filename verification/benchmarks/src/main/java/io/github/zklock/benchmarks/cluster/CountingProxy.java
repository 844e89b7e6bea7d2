package io.github.zklock.benchmarks.cluster;

import io.github.zklock.faults.cluster.DaemonThreads;
import io.github.zklock.faults.cluster.Sockets;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.io.IOUtils;

/** A proxy to one server that delays and counts all messages. */
public final class CountingProxy implements AutoCloseable {

    /** @param bytes not empty, except in the last piece of a connection */
    private record Piece(ByteBuffer bytes, long dueNanos) {}

    private static final int SIZE = 64 * 1024;

    private final Duration delay;
    private final LongAdder requests = new LongAdder();
    private final LongAdder events = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final ServerSocket acceptor = Sockets.listen(Sockets.ANYWHERE);
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** @param delay of each message, in each direction */
    public CountingProxy(int port, Duration delay) {
        this.delay = delay;
        DaemonThreads.start("proxy-acceptor-" + port, () -> serve(port));
    }

    public String address() {
        return "127.0.0.1:" + acceptor.getLocalPort();
    }

    public Traffic traffic() {
        return new Traffic(requests.sum(), events.sum(), bytes.sum());
    }

    @Override
    public void close() {
        IOUtils.closeQuietly(acceptor);
        sockets.forEach(IOUtils::closeQuietly);
    }

    private void serve(int port) {
        try {
            while (true) {
                Socket client = open(acceptor.accept());
                Socket server = open(new Socket(InetAddress.getLoopbackAddress(), port));
                connect(client, server, new FrameCounter(requests, events, bytes));
                LongAdder replies = new LongAdder();
                connect(server, client, new FrameCounter(replies, events, bytes));
            }
        } catch (IOException closed) {
            // the proxy was closed, or the server is down: the client's connection is lost
            close();
        }
    }

    private Socket open(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    private void connect(Socket from, Socket to, FrameCounter counter) {
        BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
        DaemonThreads.start("proxy-reader", () -> read(from, counter, pieces));
        DaemonThreads.start("proxy-writer", () -> write(pieces, to));
    }

    private void read(Socket from, FrameCounter counter, BlockingQueue<Piece> pieces) {
        byte[] buffer = new byte[SIZE];
        try {
            InputStream in = from.getInputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                counter.accept(buffer, read);
                pieces.add(
                        new Piece(ByteBuffer.wrap(Arrays.copyOf(buffer, read)), System.nanoTime() + delay.toNanos()));
            }
        } catch (IOException closed) {
            // the other side sees a regular end
        }
        pieces.add(new Piece(ByteBuffer.allocate(0), System.nanoTime()));
    }

    private static void write(BlockingQueue<Piece> pieces, Socket to) {
        try (Socket out = to) {
            OutputStream stream = out.getOutputStream();
            for (Piece piece = pieces.take(); piece.bytes().hasRemaining(); piece = pieces.take()) {
                awaitNanos(piece.dueNanos());
                stream.write(piece.bytes().array());
            }
        } catch (IOException closed) {
            // the receiver has closed its connection
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitNanos(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
