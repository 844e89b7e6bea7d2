package io.github.zklock.faults.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to a fake server. */
class ServerProcessTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir
    Path folder;

    private ServerSocket acceptor;
    private ServerProcess server;

    @BeforeEach
    void open() throws IOException {
        acceptor = new ServerSocket(0, 1, LOOPBACK);
        InetSocketAddress address = new InetSocketAddress(LOOPBACK, acceptor.getLocalPort());
        Network.Endpoint endpoint = new Network.Endpoint(List.of(), List.of(), address, address, LOOPBACK);
        server = new ServerProcess(ServerRelease.own(), 1, folder, endpoint, List.of());
    }

    @AfterEach
    void close() throws IOException {
        acceptor.close();
    }

    @Test
    void answerThatTellsOfNothingIsAnAnswer() throws Exception {
        assertThat(askedWhenAnswered("\n")).contains("\n");
    }

    @Test
    void serverThatServesNobodyDoesNotAnswer() throws Exception {
        assertThat(askedWhenAnswered("This ZooKeeper instance is not currently serving requests\n"))
                .isEmpty();
    }

    @Test
    void serverThatHangsUpDoesNotAnswer() throws Exception {
        assertThat(askedWhenAnswered("")).isEmpty();
    }

    @Test
    void serverThatIsNotThereDoesNotAnswer() throws Exception {
        acceptor.close();

        assertThat(server.ask("srvr")).isEmpty();
    }

    private Optional<String> askedWhenAnswered(String answer) throws InterruptedException {
        Thread answering = new Thread(() -> {
            try (Socket socket = acceptor.accept()) {
                socket.getInputStream().readNBytes("srvr".length());
                socket.getOutputStream().write(answer.getBytes(US_ASCII));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        answering.start();
        Optional<String> received = server.ask("srvr");
        answering.join();
        return received;
    }
}
