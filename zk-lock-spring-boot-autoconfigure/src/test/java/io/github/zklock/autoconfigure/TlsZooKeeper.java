package io.github.zklock.autoconfigure;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ServerMetrics;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.X509AuthenticationProvider;

/** A ZooKeeper server inside this JVM that accepts only TLS and requires client certificates. */
public final class TlsZooKeeper implements AutoCloseable {

    private static final String FACTORY = "zookeeper.serverCnxnFactory";

    private static final String KEYS = "zookeeper.ssl.keyStore.location";
    private static final String PROVIDER = "zookeeper.authProvider.tls";

    private final Map<String, String> before = new LinkedHashMap<>();
    private final ServerCnxnFactory front;

    static {
        // its first use sets properties that server classes read only once
        Contexts.server();
    }

    public TlsZooKeeper(Path folder, Path keys, Path trust) throws Exception {
        // the server reads these system properties again for each connection
        present(keys);
        set("zookeeper.ssl.keyStore.password", Certificates.PASSWORD);
        set("zookeeper.ssl.trustStore.location", trust.toString());
        set("zookeeper.ssl.trustStore.password", Certificates.PASSWORD);
        set("zookeeper.ssl.clientAuth", "need");
        set("zookeeper.ssl.clientHostnameVerification", "false");
        set(PROVIDER, X509AuthenticationProvider.class.getName());
        // the provider of the JVM's first server does not know these stores
        ProviderRegistry.addOrUpdateProvider(PROVIDER);
        set(FACTORY, "org.apache.zookeeper.server.NettyServerCnxnFactory");
        front = ServerCnxnFactory.createFactory();
        front.configure(new InetSocketAddress(InetAddress.getByName("localhost"), 0), 0, -1, true);
        ZooKeeperServer server = new ZooKeeperServer(folder.toFile(), folder.toFile(), 100);
        // the default of 20 ticks is too short for a handshake on a slow machine
        server.setMaxSessionTimeout(60_000);
        front.startup(server);
    }

    /** Sets the certificate that the server presents on further connections. */
    public void present(Path keys) {
        set(KEYS, keys.toString());
    }

    /** Closes all connections. The sessions remain. */
    public void cut() {
        front.closeAll(ServerCnxn.DisconnectReason.CONNECTION_CLOSE_FORCED);
    }

    public String connectString() {
        return "localhost:" + front.getLocalPort();
    }

    /** Returns the number of handshakes that failed, on either side, before a session was created. */
    public static long refusals() {
        return ServerMetrics.getMetrics().UNSUCCESSFUL_HANDSHAKE.get();
    }

    @Override
    public void close() {
        front.shutdown();
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }

    private void set(String name, String value) {
        if (!before.containsKey(name)) {
            before.put(name, System.getProperty(name));
        }
        System.setProperty(name, value);
    }
}
