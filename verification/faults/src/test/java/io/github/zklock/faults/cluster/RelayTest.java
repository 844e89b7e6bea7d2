package io.github.zklock.faults.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.fixture.Ports;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RelayTest {

    /** How long a test waits for data that must not arrive. */
    private static final int UNTOLD_MILLIS = 200;

    private final InetSocketAddress acceptor = new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free());

    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void passesOnWhatBothSidesSend() throws IOException {
        try (Relay ignored = Relay.open(acceptor, target());
                Socket client = client();
                Socket accepted = server.accept()) {
            send(client, 'a');
            send(accepted, 'b');

            assertThat(accepted.getInputStream().read()).isEqualTo('a');
            assertThat(client.getInputStream().read()).isEqualTo('b');
        }
    }

    @Test
    void losesWhatIsSentToTheServerAlone() throws IOException {
        try (Relay relay = Relay.open(acceptor, target());
                Socket client = client();
                Socket accepted = server.accept()) {
            relay.cutRequests();
            send(client, 'a');
            send(accepted, 'b');

            assertThat(client.getInputStream().read()).isEqualTo('b');
            assertNothingComes(accepted);
        }
    }

    @Test
    void losesWhatTheServerSendsAlone() throws IOException {
        try (Relay relay = Relay.open(acceptor, target());
                Socket client = client();
                Socket accepted = server.accept()) {
            relay.cutReplies();
            send(accepted, 'b');
            send(client, 'a');

            assertThat(accepted.getInputStream().read()).isEqualTo('a');
            assertNothingComes(client);
        }
    }

    @Test
    void losesTheEndOfAConnectionUntilItIsHealed() throws IOException {
        try (Relay relay = Relay.open(acceptor, target());
                Socket client = client();
                Socket accepted = server.accept()) {
            relay.cutRequests();
            client.close();
            assertNothingComes(accepted);

            relay.heal();
            assertThat(endOf(accepted)).isEmpty();
        }
    }

    @Test
    void forwardsTheEndOfAConnectionThatIsNotCut() throws IOException {
        try (Relay ignored = Relay.open(acceptor, target());
                Socket client = client();
                Socket accepted = server.accept()) {
            client.close();

            assertThat(endOf(accepted)).isEmpty();
        }
    }

    @Test
    void letsNewConnectionsSeemToSucceedWhileItIsCut() throws IOException {
        try (Relay relay = Relay.open(acceptor, target())) {
            relay.cut();
            try (Socket swallowed = client()) {
                send(swallowed, 'a');
                swallowed.shutdownOutput();

                assertThat(endOf(swallowed)).isEmpty();
            }

            relay.heal();

            try (Socket client = client();
                    Socket first = server.accept()) {
                send(client, 'c');

                assertThat(first.getInputStream().read()).isEqualTo('c');
            }
        }
    }

    @Test
    void endsConnectionsThatHaveLostSomethingWhenItIsHealed() throws IOException {
        try (Relay relay = Relay.open(acceptor, target());
                Socket client = client();
                Socket accepted = server.accept()) {
            relay.cutRequests();
            send(accepted, 'b');
            assertThat(client.getInputStream().read()).isEqualTo('b');

            relay.heal();

            assertThat(endOf(client)).isEmpty();
            assertThat(endOf(accepted)).isEmpty();
        }
    }

    @Test
    void replacesTheAddressInTheElectionHandshake() throws IOException {
        InetSocketAddress callBack = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        try (Relay ignored = Relay.forElections(acceptor, target(), callBack);
                Socket client = client();
                Socket accepted = server.accept()) {
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            out.writeLong(-65536);
            out.writeLong(2);
            byte[] address = "127.0.0.1:1".getBytes(US_ASCII);
            out.writeInt(address.length);
            out.write(address);
            out.writeByte('v');

            DataInputStream in = new DataInputStream(accepted.getInputStream());
            assertThat(in.readLong()).isEqualTo(-65536);
            assertThat(in.readLong()).isEqualTo(2);
            assertThat(new String(in.readNBytes(in.readInt()), US_ASCII)).isEqualTo("127.0.0.1:4711");
            assertThat(in.readByte()).isEqualTo((byte) 'v');
        }
    }

    @Test
    void closesTheConnectionAfterABrokenHandshake() throws IOException {
        try (Relay ignored = Relay.forElections(acceptor, target(), acceptor);
                Socket client = client();
                Socket accepted = server.accept()) {
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            out.writeLong(-65536);
            out.writeLong(2);
            out.writeInt(-1);

            assertThat(endOf(accepted)).isEmpty();
        }
    }

    private InetSocketAddress target() {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    private Socket client() throws IOException {
        return new Socket(acceptor.getAddress(), acceptor.getPort());
    }

    private static void send(Socket socket, char letter) throws IOException {
        socket.getOutputStream().write(letter);
    }

    private static void assertNothingComes(Socket socket) throws IOException {
        socket.setSoTimeout(UNTOLD_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(0);
    }

    /** Returns the data that arrives before the connection ends, in any way. */
    private static byte[] endOf(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            return new byte[0];
        }
    }
}
