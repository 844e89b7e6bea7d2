package io.github.zklock.faults.cluster;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.io.IOUtils;
import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.proto.ConnectRequest;

/**
 * Many sessions that are opened at one server and never closed, so that the leader expires all of them in one bucket.
 * Each is a handshake on a socket of its own, which is closed when the server has answered.
 * <p>The leader groups sessions into buckets by their expiry: {@code ExpiryQueue.update} rounds up to the next multiple
 * of a tick of {@code System.nanoTime()}, which is one clock for all processes of a machine. Each session requests the
 * timeout that puts it into the wanted bucket.
 */
public final class AbandonedSessions {

    private static final int THREADS = 4;
    private static final int AT_A_TIME = 25;
    private static final int ANSWER_MILLIS = 5_000;
    private static final int PASSWORD_BYTES = 16;
    /**
     * The leader computes the expiry when it creates a session, and again when it proposes the session, a moment later.
     */
    private static final long BEFORE_THE_INSTANT_MILLIS = Ensemble.TICK_MILLIS - 10L;

    private final InetSocketAddress server;

    /**
     * @param connectString of one server, which should be the leader: followers report their sessions to the leader
     *     later
     */
    public AbandonedSessions(String connectString) {
        server = Sockets.address(connectString);
    }

    /** Returns the next instant at which the leader expires a bucket, in milliseconds of the monotonic clock. */
    public static long bucketAt(long millis) {
        return (millis / Ensemble.TICK_MILLIS + 1) * Ensemble.TICK_MILLIS;
    }

    /**
     * Opens sessions until a number or a deadline is reached.
     *
     * @param expiry the instant of their bucket, in milliseconds of the monotonic clock
     * @param deadline in milliseconds of the monotonic clock
     * @return the number of opened sessions
     */
    public int open(int count, long expiry, long deadline) throws InterruptedException {
        AtomicInteger left = new AtomicInteger(count);
        AtomicInteger opened = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(DaemonThreads.start("abandoned-sessions", () -> {
                while (now() < deadline && left.getAndAdd(-AT_A_TIME) > 0) {
                    opened.addAndGet(openSome(expiry));
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return opened.get();
    }

    private int openSome(long expiry) {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < AT_A_TIME; i++) {
                Socket socket = new Socket();
                sockets.add(socket);
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(ANSWER_MILLIS);
                socket.connect(server, ANSWER_MILLIS);
                int timeout = Math.toIntExact(expiry - BEFORE_THE_INSTANT_MILLIS - now());
                new DataOutputStream(socket.getOutputStream()).write(connectRequest(timeout));
            }
            for (Socket socket : sockets) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                in.readFully(new byte[in.readInt()]);
            }
            return sockets.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            sockets.forEach(IOUtils::closeQuietly);
        }
    }

    /** Encodes a request for a new session, preceded by the length of its frame. */
    private static byte[] connectRequest(int timeout) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryOutputArchive archive = BinaryOutputArchive.getArchive(out);
        new ConnectRequest(0, 0, timeout, 0, new byte[PASSWORD_BYTES], false).serialize(archive, "connect");
        byte[] request = out.toByteArray();
        return ByteBuffer.allocate(Integer.BYTES + request.length)
                .putInt(request.length)
                .put(request)
                .array();
    }

    private static long now() {
        return System.nanoTime() / 1_000_000;
    }
}
