package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.DaemonThreads;
import io.github.zklock.faults.cluster.Sockets;
import io.github.zklock.faults.timeline.RegisterWrite;
import io.github.zklock.faults.timeline.Timeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.io.IOUtils;

/**
 * Numbers that the holders of locks read and write, like a database that the locks protect. The register does not know
 * the locks. If writes of a number carry fencing tokens, the register rejects a write whose token is lower than the
 * highest one seen. Each line is a request with one line as its answer:
 * <pre>
 * read CELL TOKEN                                    the number; token 0 is no token
 * write CELL TOKEN BY HOLD READ CHECKED REMAINING    "ok" if READ + 1 was written, "stale" if rejected
 * </pre>
 */
final class Register implements AutoCloseable {

    private static final class Cell {
        private long number;
        private long highestToken;
    }

    private final Timeline timeline;
    private final ServerSocket acceptor = Sockets.listen(Sockets.ANYWHERE);
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    // guards: cells, and the order of their events
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Cell> cells = new HashMap<>();

    /** @param timeline receives an event for each write */
    Register(Timeline timeline) {
        this.timeline = timeline;
        DaemonThreads.start("register-acceptor", () -> Sockets.acceptAll(acceptor, this::accept));
    }

    int port() {
        return acceptor.getLocalPort();
    }

    @Override
    public void close() {
        IOUtils.closeQuietly(acceptor);
        sockets.forEach(IOUtils::closeQuietly);
    }

    private void accept(Socket socket) {
        sockets.add(socket);
        DaemonThreads.start("register", () -> serve(socket));
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            Map<String, Long> readAt = new HashMap<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write((answer(line.split(" ", -1), readAt) + "\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException gone) {
            // the client was killed, or the register was closed
        } finally {
            sockets.remove(socket);
        }
    }

    private String answer(String[] words, Map<String, Long> readAt) {
        long token = Long.parseLong(words[2]);
        lock.lock();
        try {
            Cell cell = cells.computeIfAbsent(words[1], name -> new Cell());
            if (words[0].equals("read")) {
                cell.highestToken = Math.max(cell.highestToken, token);
                readAt.put(words[1], System.nanoTime());
                return Long.toString(cell.number);
            }
            long read = Long.parseLong(words[5]);
            RegisterWrite write = new RegisterWrite(
                    System.nanoTime(),
                    words[1],
                    token != 0,
                    words[3],
                    Long.parseLong(words[4]),
                    readAt.getOrDefault(words[1], 0L),
                    read,
                    cell.number,
                    token < cell.highestToken,
                    Long.parseLong(words[6]),
                    Long.parseLong(words[7]));
            timeline.add(write.toEvent());
            if (write.refused()) {
                return "stale";
            }
            cell.highestToken = token;
            cell.number = read + 1;
            return "ok";
        } finally {
            lock.unlock();
        }
    }
}
