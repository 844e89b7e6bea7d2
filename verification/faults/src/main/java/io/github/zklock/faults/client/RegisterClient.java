package io.github.zklock.faults.client;

import io.github.zklock.faults.cluster.Quietly;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One holder's use of what its lock guards: it reads two numbers when it has the lock, and writes one more of each before
 * it gives the lock back; one with its token, if it has any, and one without.
 */
final class RegisterClient implements AutoCloseable {

    /** The property of a client process that says at which port the register is. */
    static final String PROPERTY = "faults.register";

    private static final Logger LOG = LoggerFactory.getLogger(RegisterClient.class);
    private static final int MAX_WAIT_MILLIS = 10_000;

    private final Socket socket;
    private final BufferedReader in;
    private final String lock;
    private final long token;
    private final long fenced;
    private final long plain;

    private RegisterClient(Socket socket, String lock, long token) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        this.lock = lock;
        this.token = token;
        this.fenced = token == 0 ? 0 : Long.parseLong(ask("read " + fencedCell() + " " + token));
        this.plain = Long.parseLong(ask("read " + plainCell() + " 0"));
    }

    /** Reads. Empty if there is no register, or it cannot be reached: then nothing is written either. */
    static Optional<RegisterClient> begin(String lock, long token) {
        int port = Integer.getInteger(PROPERTY, 0);
        if (port == 0) {
            return Optional.empty();
        }
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MAX_WAIT_MILLIS);
            socket.setSoTimeout(MAX_WAIT_MILLIS);
            socket.setTcpNoDelay(true);
            return Optional.of(new RegisterClient(socket, lock, token));
        } catch (IOException unreachable) {
            LOG.warn(
                    "The register of lock '{}' was not read with token {}: this hold will write nothing",
                    lock,
                    token,
                    unreachable);
            Quietly.close(socket);
            return Optional.empty();
        }
    }

    /**
     * Writes: with the token in any case, and without one only if the handle has said a moment ago that it holds.
     *
     * @param checkedAt before it said so; 0 if it did not
     * @param remaining for how long, as far as it said
     */
    void write(String by, long hold, long checkedAt, long remaining) {
        try {
            String check = checkedAt + " " + remaining;
            if (checkedAt != 0) {
                ask("write %s 0 %s %d %d %s".formatted(plainCell(), by, hold, plain, check));
            }
            if (token != 0) {
                ask("write %s %d %s %d %d %s".formatted(fencedCell(), token, by, hold, fenced, check));
            }
        } catch (IOException unreachable) {
            // nobody's update is lost by that
            LOG.warn(
                    "The register of lock '{}' was not written to by hold {} with token {}: its update is missing",
                    lock,
                    hold,
                    token,
                    unreachable);
        }
    }

    @Override
    public void close() {
        Quietly.close(socket);
    }

    private String ask(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        String answer = in.readLine();
        if (answer == null) {
            throw new IOException("The register has gone");
        }
        return answer;
    }

    private String fencedCell() {
        return lock + "-fenced";
    }

    private String plainCell() {
        return lock + "-plain";
    }
}
