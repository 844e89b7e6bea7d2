package io.github.zklock.autoconfigure.startup;

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
 * Finds out why the servers create no session, by a plain connection to each server. ZooKeeper's client only logs the
 * reasons. It uses threads of its own, so that no caller waits for a slow network.
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
     * Starts to check each server of a connect string.
     *
     * @param bundle the SSL bundle for TLS connections; null for plain connections
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

    /** Returns the findings so far: {@code zoo1:2181 refuses connections, zoo2:2181 is an unknown host}. */
    String text() {
        return servers.stream()
                .map(server -> server.getHostString() + ":" + server.getPort() + " "
                        + found.getOrDefault(server, "does not answer"))
                .collect(Collectors.joining(", "));
    }

    /**
     * Returns what to do about it, if the findings allow a more specific remedy than to check whether the servers run.
     */
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
