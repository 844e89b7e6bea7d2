package io.github.zklock.autoconfigure.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Asks who listens on a port, by ZooKeeper's own command {@code srvr}: a bare connection would take any program for a
 * server. Not found are servers that speak TLS only.
 */
final class PortProbe {

    /** Who answered. */
    enum Answer {
        NOBODY,
        ZOOKEEPER,
        SOMETHING_ELSE
    }

    private static final byte[] COMMAND = "srvr".getBytes(StandardCharsets.US_ASCII);
    private static final int ENOUGH = 256;

    private final int patienceMillis;

    PortProbe(Duration patience) {
        this.patienceMillis = Math.toIntExact(patience.toMillis());
    }

    Answer ask(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(patienceMillis);
            socket.connect(address, patienceMillis);
            return conversation(socket);
        } catch (ConnectException refused) {
            return Answer.NOBODY;
        } catch (IOException failed) {
            return Answer.SOMETHING_ELSE;
        }
    }

    private Answer conversation(Socket socket) throws IOException {
        socket.getOutputStream().write(COMMAND);
        socket.getOutputStream().flush();
        return isOfZooKeeper(read(socket.getInputStream())) ? Answer.ZOOKEEPER : Answer.SOMETHING_ELSE;
    }

    private static String read(InputStream in) throws IOException {
        try {
            return new String(in.readNBytes(ENOUGH), StandardCharsets.US_ASCII);
        } catch (SocketTimeoutException silent) {
            return "";
        }
    }

    /** A server answers the command, says that it does not serve yet, or says that the command is not allowed. */
    private static boolean isOfZooKeeper(String answer) {
        return answer.startsWith("Zookeeper version:")
                || answer.startsWith("This ZooKeeper instance is not currently serving requests")
                || answer.startsWith("srvr is not executed because it is not in the whitelist");
    }
}
