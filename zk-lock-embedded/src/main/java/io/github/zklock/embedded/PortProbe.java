package io.github.zklock.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Detects what listens on a port, by ZooKeeper's command {@code srvr}: a plain connection cannot distinguish a
 * ZooKeeper server from other programs. Servers that accept only TLS are not detected.
 */
final class PortProbe {

    /** The result of the probe. */
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

    /**
     * Returns whether the answer is from ZooKeeper: the result of the command, or a message that the server does not
     * serve yet or does not allow the command.
     */
    private static boolean isOfZooKeeper(String answer) {
        return answer.startsWith("Zookeeper version:")
                || answer.startsWith("This ZooKeeper instance is not currently serving requests")
                || answer.startsWith("srvr is not executed because it is not in the whitelist");
    }
}
