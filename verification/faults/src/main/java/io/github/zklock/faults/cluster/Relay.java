package io.github.zklock.faults.cluster;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.commons.io.IOUtils;

/** A TCP relay to a server that can be cut as a network can: all data is lost, including the end of a connection. */
final class Relay implements AutoCloseable {

    private static final int LONGEST_HANDSHAKE = 2048;
    private static final int ATTEMPTS = 100;
    private static final long BETWEEN_ATTEMPTS_NANOS = 20_000_000L;

    private final InetSocketAddress target;
    private final int attempts;
    private final Handshake handshake;
    private final ServerSocket acceptor;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private volatile boolean cutRequests;
    private volatile boolean cutReplies;

    private Relay(InetSocketAddress from, InetSocketAddress target, int attempts, Handshake handshake) {
        this.target = target;
        this.attempts = attempts;
        this.handshake = handshake;
        this.acceptor = Sockets.listen(from);
        DaemonThreads.start("relay-acceptor", () -> Sockets.acceptAll(acceptor, this::accept));
    }

    static Relay open(InetSocketAddress from, InetSocketAddress target) {
        return new Relay(from, target, 1, (near, far) -> {});
    }

    /**
     * Returns a relay for followers. A follower retries a refused connection until its new leader listens, but gives
     * the leader up and disturbs the election if its connection ends. Therefore this relay does the retries.
     */
    static Relay forFollowers(InetSocketAddress from, InetSocketAddress target) {
        return new Relay(from, target, ATTEMPTS, (near, far) -> {});
    }

    /** Returns a relay for election connections. */
    static Relay forElections(InetSocketAddress from, InetSocketAddress target, InetSocketAddress callBack) {
        return new Relay(
                from,
                target,
                1,
                (near, far) -> forwardHandshake(near.getInputStream(), far.getOutputStream(), callBack));
    }

    /** Loses all data in both directions from now on. Connections stay open, and new ones seem to succeed. */
    void cut() {
        cutRequests();
        cutReplies();
    }

    /** Loses what is sent to the server, and everything on new connections. */
    void cutRequests() {
        cutRequests = true;
    }

    /** Loses what the server sends, and everything on new connections. */
    void cutReplies() {
        cutReplies = true;
    }

    /** Ends all losses; closes connections that may have lost data. */
    void heal() {
        if (isCut()) {
            cutRequests = false;
            cutReplies = false;
            sockets.forEach(IOUtils::closeQuietly);
        }
    }

    @Override
    public void close() {
        IOUtils.closeQuietly(acceptor);
        sockets.forEach(IOUtils::closeQuietly);
    }

    private boolean isCut() {
        return cutRequests || cutReplies;
    }

    private void accept(Socket near) {
        sockets.add(near);
        DaemonThreads.start("relay-requests", () -> serve(near));
    }

    private void serve(Socket near) {
        if (isCut()) {
            pump(near, near, () -> true, () -> true);
            return;
        }
        try {
            Socket far = reach();
            sockets.add(far);
            join(near, far);
        } catch (IOException e) {
            // the server is down: the client's connection is closed
            end(near);
        }
    }

    private void join(Socket near, Socket far) throws IOException {
        try {
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            DaemonThreads.start("relay-replies", () -> pump(far, near, () -> cutReplies, () -> cutRequests));
            handshake.pass(near, far);
        } catch (IOException unopened) {
            end(far);
            throw unopened;
        }
        pump(near, far, () -> cutRequests, () -> cutReplies);
    }

    private Socket reach() throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return new Socket(target.getAddress(), target.getPort());
            } catch (IOException refused) {
                if (attempt == attempts || acceptor.isClosed()) {
                    throw refused;
                }
                LockSupport.parkNanos(BETWEEN_ATTEMPTS_NANOS);
            }
        }
    }

    /** Copies data, and the end of the connection unless the direction is cut. */
    private void pump(Socket from, Socket to, BooleanSupplier lost, BooleanSupplier lostBack) {
        byte[] buffer = new byte[16 * 1024];
        // data after a gap must not be delivered
        boolean torn = false;
        try {
            InputStream in = from.getInputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                torn |= lost.getAsBoolean();
                torn = torn || !hasPassed(to, buffer, length, lostBack);
            }
        } catch (IOException e) {
            // either side has closed the connection
        } finally {
            end(from);
            if (!torn && !lost.getAsBoolean()) {
                end(to);
            }
        }
    }

    /** @return false if the other side has closed its connection while the way back is cut */
    private static boolean hasPassed(Socket to, byte[] buffer, int length, BooleanSupplier lostBack)
            throws IOException {
        try {
            to.getOutputStream().write(buffer, 0, length);
            return true;
        } catch (IOException closed) {
            if (lostBack.getAsBoolean()) {
                return false;
            }
            throw closed;
        }
    }

    /**
     * Forwards the first message on an election connection with another address. The message contains the id of the
     * server and its address. The server with the higher id connects back to this address, bypassing every relay unless
     * the message names one.
     */
    private static void forwardHandshake(InputStream from, OutputStream to, InetSocketAddress callBack)
            throws IOException {
        DataInputStream in = new DataInputStream(from);
        long protocol = in.readLong();
        long server = in.readLong();
        int length = in.readInt();
        if (length < 0 || length > LONGEST_HANDSHAKE) {
            throw new IOException("A handshake of " + length + " bytes from server " + server);
        }
        in.skipNBytes(length);
        byte[] address =
                (callBack.getAddress().getHostAddress() + ":" + callBack.getPort()).getBytes(StandardCharsets.UTF_8);
        DataOutputStream out = new DataOutputStream(to);
        out.writeLong(protocol);
        out.writeLong(server);
        out.writeInt(address.length);
        out.write(address);
        out.flush();
    }

    private void end(Socket socket) {
        sockets.remove(socket);
        IOUtils.closeQuietly(socket);
    }

    /** Forwards the first message in its own way. */
    @FunctionalInterface
    private interface Handshake {
        void pass(Socket near, Socket far) throws IOException;
    }
}
