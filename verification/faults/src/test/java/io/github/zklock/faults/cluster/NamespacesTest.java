package io.github.zklock.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lost packets, observed from each namespace. */
@Timeout(120)
class NamespacesTest {

    private static final Optional<String> OBSTACLE = Namespaces.obstacle();
    private static final String REFUSED = "Connection refused";
    private static final Pattern DROPPED = Pattern.compile("^\\s*[1-9]\\d*\\s+\\d+\\s+DROP", Pattern.MULTILINE);
    private static final long PID = ProcessHandle.current().pid();

    @BeforeEach
    void requireRights() {
        assumeTrue(OBSTACLE.isEmpty(), () -> OBSTACLE.orElse(""));
    }

    @Test
    void connectsServersWithEachOther() {
        try (Namespaces network = new Namespaces(2)) {
            assertThat(answerTo(network, 0, 1)).contains(REFUSED);
            assertThat(answerTo(network, 1, 0)).contains(REFUSED);
        }
    }

    @Test
    void losesWhatAServerSendsToAnotherAndNothingElse() {
        try (Namespaces network = new Namespaces(3)) {
            network.cut(0, CutDirection.BOTH);

            assertLost(network, 0, 1, 0, "OUTPUT");
            assertLost(network, 2, 0, 0, "INPUT");
            assertThat(answerTo(network, 1, 2)).contains(REFUSED);
            assertThat(doorOf(network, 0)).hasMessageContaining(REFUSED);

            network.heal();

            assertThat(answerTo(network, 0, 1)).contains(REFUSED);
        }
    }

    /** The other server receives the packets, or there would be no answer. */
    @Test
    void losesTheAnswerToAServerThatReceivesNothing() {
        try (Namespaces network = new Namespaces(2)) {
            network.cut(0, CutDirection.IN);

            assertLost(network, 0, 1, 0, "INPUT");
        }
    }

    @Test
    void losesTheAnswerOfAServerWhosePacketsAreLost() {
        try (Namespaces network = new Namespaces(2)) {
            network.cut(0, CutDirection.OUT);

            assertLost(network, 1, 0, 0, "OUTPUT");
        }
    }

    @Test
    void cutsClientsOffFromServersThatTheHarnessStillReaches() {
        try (Namespaces network = new Namespaces(2)) {
            network.cutClients();

            assertThat(answerTo(network, 0, 1)).contains(REFUSED);
            assertThat(doorOf(network, 1)).hasMessageContaining(REFUSED);
        }
    }

    @Test
    void leavesNothingBehind() throws IOException {
        new Namespaces(2).close();

        assertThat(SystemCommand.run("ip", "netns", "list")).doesNotContain("zk-lock-faults-" + PID);
        assertThat(NetworkInterface.networkInterfaces().map(NetworkInterface::getName))
                .noneMatch(name -> name.startsWith("zkf" + PID));
    }

    @Test
    void removesWhatADeadRunLeft() throws IOException, InterruptedException {
        Process dead = new ProcessBuilder("true").start();
        assertThat(dead.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String leftover = "zk-lock-faults-" + dead.pid() + "-1-hub";
        SystemCommand.run("ip", "netns", "add", leftover);

        new Namespaces(1).close();

        assertThat(SystemCommand.run("ip", "netns", "list")).doesNotContain(leftover);
    }

    /** Returns the output of a server that connects to another one. */
    private static String answerTo(Namespaces network, int from, int to) {
        try {
            Process attempt = attempt(network, from, to);
            assertThat(attempt.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new String(attempt.getInputStream().readAllBytes(), Charset.defaultCharset());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Lets one server connect to another until packets have been dropped, without an answer. */
    private static void assertLost(Namespaces network, int from, int to, int dropper, String chain) {
        Process attempt = attempt(network, from, to);
        try {
            Awaitility.await("dropped packets")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> DROPPED.matcher(rules(network, dropper, chain)).find());
            assertThat(attempt.isAlive()).isTrue();
        } finally {
            attempt.destroyForcibly();
        }
    }

    private static String rules(Namespaces network, int server, String chain) {
        return SystemCommand.run(
                in(network, server, "iptables", "-w", "-vnxL", chain).toArray(String[]::new));
    }

    private static Process attempt(Namespaces network, int from, int to) {
        InetSocketAddress target = network.endpoint(to).clientAddress();
        String connect = "exec 3<>/dev/tcp/" + target.getAddress().getHostAddress() + "/" + target.getPort();
        try {
            return new ProcessBuilder(in(network, from, "bash", "-c", connect))
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> in(Namespaces network, int server, String... command) {
        return Stream.concat(network.endpoint(server).launcher().stream(), Arrays.stream(command))
                .toList();
    }

    /** Returns the exception of the harness's connection to a server. */
    private static Throwable doorOf(Namespaces network, int server) {
        Network.Endpoint endpoint = network.endpoint(server);
        return catchThrowable(() -> {
            try (Socket socket = new Socket()) {
                socket.bind(new InetSocketAddress(endpoint.harnessSource(), 0));
                socket.connect(endpoint.harnessTarget(), 60_000);
            }
        });
    }
}
