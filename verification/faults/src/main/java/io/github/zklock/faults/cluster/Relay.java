package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The way to a server, which can be cut as a network is: what is sent vanishes, the end of a connection as well. */
final class Relay implements AutoCloseable {

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
        try {
            acceptor = new ServerSocket();
            acceptor.setReuseAddress(true);
            acceptor.bind(from);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DaemonThreads.start("relay-acceptor", this::acceptAll);
    }

    static Relay open(InetSocketAddress from, InetSocketAddress target) {
        return new Relay(from, target, 1, (near, far) -> {});
    }

    /**
     * One for followers. A follower that is refused tries again until its new leader listens; one whose connection ends
     * gives that leader up and unsettles the election. So the trying again is done here.
     */
    static Relay forFollowers(InetSocketAddress from, InetSocketAddress target) {
        return new Relay(from, target, ATTEMPTS, (near, far) -> {});
    }

    /** One for votes. */
    static Relay forElections(InetSocketAddress from, InetSocketAddress target, InetSocketAddress callBack) {
        return new Relay(
                from,
                target,
                1,
                (near, far) -> ElectionHandshake.forward(near.getInputStream(), far.getOutputStream(), callBack));
    }

    /** Swallows everything from now on, both ways. Connections stay open, and new ones seem to succeed. */
    void cut() {
        cutRequests();
        cutReplies();
    }

    /** Swallows what is sent to the server, and everything on new connections. */
    void cutRequests() {
        cutRequests = true;
    }

    /** Swallows what the server sends, and everything on new connections. */
    void cutReplies() {
        cutReplies = true;
    }

    /** Lets everything through again; connections that may have lost something end. */
    void heal() {
        if (isCut()) {
            cutRequests = false;
            cutReplies = false;
            sockets.forEach(Quietly::close);
        }
    }

    @Override
    public void close() {
        Quietly.close(acceptor);
        sockets.forEach(Quietly::close);
    }

    private boolean isCut() {
        return cutRequests || cutReplies;
    }

    private void acceptAll() {
        while (!acceptor.isClosed()) {
            try {
                Socket near = acceptor.accept();
                sockets.add(near);
                DaemonThreads.start("relay-requests", () -> serve(near));
            } catch (IOException e) {
                // the entrance was closed
            }
        }
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
            // the server is not there: the other side sees its connection end
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

    /** The end of a connection travels as anything else does: while the way is cut, the other side is not told of it. */
    private void pump(Socket from, Socket to, BooleanSupplier lost, BooleanSupplier lostBack) {
        byte[] buffer = new byte[16 * 1024];
        // what comes after a gap would be read as something else
        boolean torn = false;
        try {
            InputStream in = from.getInputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                torn |= lost.getAsBoolean();
                torn = torn || !hasPassed(to, buffer, length, lostBack);
            }
        } catch (IOException e) {
            // either side closed
        } finally {
            end(from);
            if (!torn && !lost.getAsBoolean()) {
                end(to);
            }
        }
    }

    /** @return false if the other side has closed, and this one cannot be told */
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

    private void end(Socket socket) {
        sockets.remove(socket);
        Quietly.close(socket);
    }

    /** What is passed on first, in a way of its own. */
    @FunctionalInterface
    private interface Handshake {
        void pass(Socket near, Socket far) throws IOException;
    }
}
