package io.github.zklock.autoconfigure;

import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.CollectionUtils;

/** How a Curator client is made of {@code zk.lock.*}. */
final class ClientAssembly {

    private static final String DIGEST = "digest";

    private final ZkLockProperties properties;
    private final ZkLockConnectionDetails details;
    private @Nullable TlsFiles tlsFiles;

    ClientAssembly(ZkLockProperties properties, ZkLockConnectionDetails details) {
        this.properties = properties;
        this.details = details;
    }

    /** A client that is started and connects in the background. */
    CuratorFramework start(List<CuratorFrameworkBuilderCustomizer> customizers) {
        try {
            CuratorFrameworkFactory.Builder builder = builder();
            customizers.forEach(customizer -> customizer.customize(builder));
            checkIdentity(builder);
            CuratorFramework client = builder.build();
            client.start();
            return client;
        } catch (RuntimeException failed) {
            deleteFiles();
            throw failed;
        }
    }

    /** To be called when the client is closed: until then it may connect again, and reads them then. */
    void deleteFiles() {
        if (tlsFiles != null) {
            tlsFiles.delete();
        }
    }

    /** Has the files deleted when the JVM ends, if they are not deleted before. */
    void deleteFilesOnExit() {
        if (tlsFiles != null) {
            tlsFiles.deleteOnExit();
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
                // handles of zk-lock cannot follow a changed ensemble; and the tracker asks before there is a
                // connection,
                // which Curator logs as two errors with stack traces
                .ensembleTracker(false)
                .sessionTimeoutMs(millis(properties.getSessionTimeout()))
                .connectionTimeoutMs(millis(connectionTimeout()))
                .retryPolicy(new ExponentialBackoffRetry(
                        millis(properties.getRetry().getInitialInterval()),
                        properties.getRetry().getMaxAttempts(),
                        millis(properties.getRetry().getMaxInterval())));
        List<String> acl = properties.getAcl();
        if (acl != null) {
            builder.aclProvider(AccessList.parse(acl));
        }
        authenticate(builder);
        configure(builder);
        return builder;
    }

    private void authenticate(CuratorFrameworkFactory.Builder builder) {
        String username = details.getUsername();
        if (username != null) {
            authenticate(builder, DIGEST, username + ":" + Objects.requireNonNullElse(details.getPassword(), ""));
            return;
        }
        ZkLockProperties.Auth auth = properties.getAuth();
        if (auth.getUsername() != null) {
            authenticate(builder, auth.getScheme(), auth.getUsername() + ":" + auth.getPassword());
        } else if (auth.getData() != null) {
            authenticate(builder, auth.getScheme(), auth.getData());
        }
    }

    private static void authenticate(CuratorFrameworkFactory.Builder builder, String scheme, String credentials) {
        builder.authorization(scheme, credentials.getBytes(StandardCharsets.UTF_8));
    }

    private void configure(CuratorFrameworkFactory.Builder builder) {
        SslBundle bundle = details.getSslBundle();
        if (bundle == null && properties.getClient().getProperties().isEmpty()) {
            return;
        }
        ZKClientConfig config = new ZKClientConfig();
        if (bundle != null) {
            tlsFiles = export(bundle, config);
        }
        properties.getClient().getProperties().forEach(config::setProperty);
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

    /** The servers would refuse each node, long after the start. */
    private void checkIdentity(CuratorFrameworkFactory.Builder builder) {
        List<String> acl = properties.getAcl();
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
                || properties.getClient().getProperties().keySet().stream()
                        .anyMatch(key -> key.startsWith("zookeeper.sasl."));
        return !certified && !sasl && CollectionUtils.isEmpty(builder.getAuthInfos());
    }

    /** A connection that takes longer than a session lives is of no use. */
    private Duration connectionTimeout() {
        return properties.getConnectionTimeout().compareTo(properties.getSessionTimeout()) < 0
                ? properties.getConnectionTimeout()
                : properties.getSessionTimeout();
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
