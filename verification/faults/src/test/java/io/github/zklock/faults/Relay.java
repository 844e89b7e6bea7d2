package io.github.zklock.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The way from one server to another, which can be cut as a network is: what is sent vanishes, and nobody is told. */
final class Relay implements AutoCloseable {

    private static final int ATTEMPTS = 100;
    private static final long BETWEEN_ATTEMPTS_NANOS = 20_000_000L;

    private final int target;
    private final ServerSocket entrance;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private volatile boolean cut;

    Relay(int port, int target) {
        this.target = target;
        try {
            entrance = new ServerSocket();
            entrance.setReuseAddress(true);
            entrance.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon("relay-entrance", this::acceptAll);
    }

    /** Swallows everything from now on, both ways. Connections stay open, and new ones seem to succeed. */
    void cut() {
        cut = true;
    }

    /** Lets everything through again; connections that lost something end. */
    void heal() {
        if (cut) {
            cut = false;
            sockets.forEach(Relay::closeQuietly);
        }
    }

    @Override
    public void close() {
        closeQuietly(entrance);
        sockets.forEach(Relay::closeQuietly);
    }

    private void acceptAll() {
        while (!entrance.isClosed()) {
            try {
                Socket near = entrance.accept();
                sockets.add(near);
                daemon("relay-there", () -> serve(near));
            } catch (IOException e) {
                // the entrance was closed
            }
        }
    }

    private void serve(Socket near) {
        if (cut) {
            pump(near, null);
            return;
        }
        try {
            Socket far = reach();
            sockets.add(far);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            daemon("relay-back", () -> pump(far, near));
            pump(near, far);
        } catch (IOException e) {
            // the server is not there: the other side sees its connection end
            end(near);
        }
    }

    /**
     * Connects to the server. A follower that is refused tries again until its new leader listens; one whose connection
     * ends gives that leader up and unsettles the election. So the trying again is done here.
     */
    private Socket reach() throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), target);
            } catch (IOException refused) {
                if (attempt == ATTEMPTS || entrance.isClosed()) {
                    throw refused;
                }
                LockSupport.parkNanos(BETWEEN_ATTEMPTS_NANOS);
            }
        }
    }

    private void pump(Socket from, @Nullable Socket to) {
        byte[] buffer = new byte[16 * 1024];
        try {
            InputStream in = from.getInputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (!cut && to != null) {
                    OutputStream out = to.getOutputStream();
                    out.write(buffer, 0, length);
                }
            }
        } catch (IOException e) {
            // either side closed
        } finally {
            end(from);
            end(to);
        }
    }

    private void end(@Nullable Socket socket) {
        if (socket != null) {
            sockets.remove(socket);
            closeQuietly(socket);
        }
    }

    private static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // it is gone, which is what was wanted
        }
    }

    private static void daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }
}
