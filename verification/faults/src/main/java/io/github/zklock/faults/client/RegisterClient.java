package io.github.zklock.faults.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.commons.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access of one holder to the register. It reads two numbers after the grant, and writes one more of each before
 * the release: one with its token, if it has one, and one without.
 */
final class RegisterClient implements AutoCloseable {

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

    /** Reads both numbers. Empty if the register is missing or unreachable; this hold then writes nothing. */
    static Optional<RegisterClient> begin(String lock, long token) {
        int port = Integer.getInteger("faults.register", 0);
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
            IOUtils.closeQuietly(socket);
            return Optional.empty();
        }
    }

    /**
     * Writes both numbers: the fenced one in any case, the plain one only if the handle has just answered "held".
     *
     * @param checkedAt before that answer; 0 if the answer was "not held"
     * @param remaining for how long, by that answer
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
            // this overwrites nothing
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
        IOUtils.closeQuietly(socket);
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
