package io.github.zklock.autoconfigure;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.client.ConnectStringParser;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * Why no server gives a session, as far as a bare connection to each of them tells: ZooKeeper's client keeps the reasons
 * to its log. Looks on threads of its own, so that nobody waits for a slow network.
 */
final class ServerDiagnosis {

    private final List<InetSocketAddress> servers;
    private final @Nullable TlsProbe tls;
    private final Map<InetSocketAddress, String> found = new ConcurrentHashMap<>();
    private final Map<InetSocketAddress, String> remedies = new ConcurrentHashMap<>();

    private ServerDiagnosis(List<InetSocketAddress> servers, @Nullable TlsProbe tls) {
        this.servers = servers;
        this.tls = tls;
    }

    /**
     * Begins to look at each server of a connect string.
     *
     * @param bundle what TLS connections are made with; null for connections without
     */
    static ServerDiagnosis begin(String connectString, @Nullable SslBundle bundle, Duration patience) {
        ServerDiagnosis diagnosis = new ServerDiagnosis(
                List.copyOf(new ConnectStringParser(connectString).getServerAddresses()),
                bundle == null ? null : new TlsProbe(bundle));
        int millis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, patience.toMillis()));
        diagnosis.servers.forEach(server -> {
            Thread looking = new Thread(() -> diagnosis.look(server, millis), "zk-lock-diagnosis");
            looking.setDaemon(true);
            looking.start();
        });
        return diagnosis;
    }

    /** What was found so far: {@code zoo1:2181 refuses connections, zoo2:2181 is an unknown host}. */
    String text() {
        return servers.stream()
                .map(server -> server.getHostString() + ":" + server.getPort() + " "
                        + found.getOrDefault(server, "does not answer"))
                .collect(Collectors.joining(", "));
    }

    /** What to do about it, where that is known better than to look whether the servers run. */
    Optional<String> remedy() {
        return servers.stream()
                .flatMap(server -> Stream.ofNullable(remedies.get(server)))
                .findFirst();
    }

    private void look(InetSocketAddress server, int millis) {
        InetSocketAddress resolved = new InetSocketAddress(server.getHostString(), server.getPort());
        if (resolved.isUnresolved()) {
            found.put(server, "is an unknown host");
            return;
        }
        try (Socket socket = new Socket()) {
            socket.connect(resolved, millis);
            found.put(
                    server,
                    "accepts connections but creates no session (it has no quorum, expects TLS, or is not ZooKeeper)");
            if (tls != null) {
                tls.look(socket, resolved, millis).ifPresent(trouble -> {
                    remedies.put(server, trouble.remedy());
                    found.put(server, trouble.fact());
                });
            }
        } catch (SocketTimeoutException silent) {
            found.put(server, "does not answer");
        } catch (ConnectException refused) {
            found.put(server, "refuses connections");
        } catch (IOException failed) {
            found.put(server, "cannot be connected to (" + failed.getMessage() + ")");
        }
    }
}
