package io.github.zklock.autoconfigure;

import io.github.zklock.autoconfigure.internal.client.TlsFiles;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.CollectionUtils;

/** Builds the Curator client from {@code zk.lock.*}, starts it and closes it. */
final class ClientAssembly implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(ClientAssembly.class);

    // for the client's own operations; the wait for a lock has its own limit
    private static final int FIRST_PAUSE_MS = 50;
    private static final int LONGEST_PAUSE_MS = 1000;
    private static final int ATTEMPTS = 3;

    private final ZkLockProperties properties;
    private final ZkLockConnectionDetails details;
    private final List<ZooKeeperLockRegistry> users = new ArrayList<>();
    private @Nullable TlsFiles tlsFiles;
    private @Nullable CuratorFramework client;

    ClientAssembly(ZkLockProperties properties, ZkLockConnectionDetails details) {
        this.properties = properties;
        this.details = details;
    }

    /** Returns a started client, which connects in the background. */
    CuratorFramework start(List<CuratorFrameworkBuilderCustomizer> customizers) {
        try {
            CuratorFrameworkFactory.Builder builder = builder();
            customizers.forEach(customizer -> customizer.customize(builder));
            checkIdentity(builder);
            CuratorFramework started = builder.build();
            started.start();
            client = started;
            return started;
        } catch (RuntimeException failed) {
            deleteFiles();
            throw failed;
        }
    }

    /** Delays the close of the client until this registry holds no lock. */
    void keepFor(ZooKeeperLockRegistry registry) {
        users.add(registry);
    }

    /** Called after the close of the registry, which was created later, and before the stop of an embedded server. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the shutdown does not wait for these holders any longer
    public void destroy() {
        // requested only now: an earlier stage can complete after the close of its registry, which does not wait for it
        CompletableFuture<Void> unused = CompletableFuture.allOf(users.stream()
                .map(registry -> registry.terminated().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
        if (!unused.isDone() && tlsFiles != null) {
            // the JVM may end before the last holder has released its lock
            tlsFiles.deleteOnExit();
        }
        unused.thenRun(this::close);
    }

    private void close() {
        if (client != null) {
            client.close();
        }
        deleteFiles();
    }

    /** Deletes the files. To be called after the client is closed, because it reads them for each connection. */
    private void deleteFiles() {
        if (tlsFiles != null) {
            tlsFiles.delete();
        }
    }

    private CuratorFrameworkFactory.Builder builder() {
        String servers = details.getConnectString();
        ConnectString.check(
                details instanceof PropertiesConnectionDetails
                        ? "zk.lock.connect-string"
                        : "The connect string of the ZkLockConnectionDetails bean",
                servers);
        CuratorFrameworkFactory.Builder builder = ZooKeeperLockRegistry.clientBuilder()
                .connectString(servers)
                // handles of zk-lock cannot follow a changed ensemble; the tracker also sends requests before there is
                // a connection, which Curator logs as two errors with stack traces
                .ensembleTracker(false)
                .sessionTimeoutMs(millis(properties.sessionTimeout()))
                .connectionTimeoutMs(millis(connectionTimeout()))
                .retryPolicy(new ExponentialBackoffRetry(FIRST_PAUSE_MS, ATTEMPTS, LONGEST_PAUSE_MS));
        List<String> acl = properties.acl();
        if (acl != null) {
            builder.aclProvider(AccessList.parse(acl));
        }
        authenticate(builder);
        configure(builder);
        return builder;
    }

    private void authenticate(CuratorFrameworkFactory.Builder builder) {
        boolean unencrypted = lacksEncryption();
        if (unencrypted) {
            LOG.warn(
                    "zk.lock.ssl.bundle is set, but the ZkLockConnectionDetails bean in use has no SSL bundle: connections"
                            + " are not encrypted, and zk.lock.auth.* is not sent. Return the bundle from getSslBundle(), or"
                            + " remove zk.lock.ssl.bundle");
        }
        ZkLockProperties.Auth auth = properties.auth();
        String username = details.getUsername();
        if (username != null) {
            authenticate(builder, username, Objects.requireNonNullElse(details.getPassword(), ""));
        } else if (!unencrypted && auth.username() != null) {
            authenticate(builder, auth.username(), Objects.requireNonNullElse(auth.password(), ""));
        }
    }

    /** Returns whether a property requests encryption that the connection details do not use. */
    private boolean lacksEncryption() {
        return properties.ssl().bundle() != null && details.getSslBundle() == null;
    }

    private static void authenticate(CuratorFrameworkFactory.Builder builder, String username, String password) {
        builder.authorization("digest", (username + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private void configure(CuratorFrameworkFactory.Builder builder) {
        SslBundle bundle = details.getSslBundle();
        if (bundle == null && properties.client().properties().isEmpty()) {
            return;
        }
        ZKClientConfig config = new ZKClientConfig();
        if (bundle != null) {
            tlsFiles = export(bundle, config);
        }
        properties.client().properties().forEach(config::setProperty);
        builder.zkClientConfig(config);
    }

    private TlsFiles export(SslBundle bundle, ZKClientConfig config) {
        TlsFiles files = TlsFiles.export(bundle, config);
        if (details instanceof PropertiesConnectionDetails reloadable) {
            reloadable.onSslBundleUpdate(files::replace);
            SslBundle current = reloadable.getSslBundle();
            if (current != null && current != bundle) {
                files.replace(current);
            }
        }
        return files;
    }

    /**
     * Fails at start-up if the access list needs an identity and the client has none. Otherwise the servers would
     * reject each node later.
     */
    private void checkIdentity(CuratorFrameworkFactory.Builder builder) {
        List<String> acl = properties.acl();
        if (acl != null && AccessList.parse(acl).needsIdentity() && isNobody(builder)) {
            throw new InvalidZkLockPropertyException(
                    "zk.lock.acl",
                    "grants access only to the creator of a node, but this process has no identity at the servers",
                    "set zk.lock.auth.username and zk.lock.auth.password, an SSL bundle with a key, or SASL");
        }
    }

    private boolean isNobody(CuratorFrameworkFactory.Builder builder) {
        SslBundle bundle = details.getSslBundle();
        boolean certified = bundle != null && bundle.getStores().getKeyStore() != null;
        boolean sasl = System.getProperty("java.security.auth.login.config") != null
                || properties.client().properties().keySet().stream()
                        .anyMatch(key -> key.startsWith("zookeeper.sasl."));
        return !certified && !sasl && CollectionUtils.isEmpty(builder.getAuthInfos());
    }

    /**
     * Returns the connection timeout, limited by the session timeout: a connection that takes longer is useless,
     * because the session has expired.
     */
    private Duration connectionTimeout() {
        return properties.connectionTimeout().compareTo(properties.sessionTimeout()) < 0
                ? properties.connectionTimeout()
                : properties.sessionTimeout();
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
