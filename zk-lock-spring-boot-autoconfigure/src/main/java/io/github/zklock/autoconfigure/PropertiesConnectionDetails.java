package io.github.zklock.autoconfigure;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** The connection details from {@code zk.lock.*}. */
final class PropertiesConnectionDetails implements ZkLockConnectionDetails {

    private final ZkLockProperties properties;
    private final ObjectProvider<SslBundles> bundles;

    PropertiesConnectionDetails(ZkLockProperties properties, ObjectProvider<SslBundles> bundles) {
        this.properties = properties;
        this.bundles = bundles;
    }

    @Override
    public String getConnectString() {
        String servers = properties.connectString();
        if (servers == null) {
            throw new ZkLockStartupException(
                    "zk-lock has no ZooKeeper servers for its locks: zk.lock.connect-string is not set, and there is"
                            + " neither a ZkLockConnectionDetails nor a CuratorFramework bean",
                    """
                    Do one of the following:

                        - Set zk.lock.connect-string to the servers, such as zoo1:2181,zoo2:2181,zoo3:2181.
                        - For development, add the dependency io.github.zklock:zk-lock-embedded, which starts a server inside
                          the application. It does not start in an application that was processed ahead of time.
                        - Define a ZkLockConnectionDetails bean, as @ServiceConnection does for a container.
                        - Define a CuratorFramework bean.

                    To do without locks, set zk.lock.enabled=false.""",
                    null);
        }
        return servers;
    }

    @Override
    public @Nullable String getUsername() {
        return properties.auth().username();
    }

    @Override
    public @Nullable String getPassword() {
        return properties.auth().password();
    }

    /** Calls the handler whenever the SSL bundle is reloaded. */
    void onSslBundleUpdate(Consumer<SslBundle> handler) {
        String name = properties.ssl().bundle();
        if (name != null) {
            bundles.getObject().addBundleUpdateHandler(name, handler);
        }
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        String name = properties.ssl().bundle();
        if (name == null) {
            return null;
        }
        try {
            return bundles.getObject().getBundle(name);
        } catch (NoSuchSslBundleException missing) {
            throw new InvalidZkLockPropertyException(
                    "zk.lock.ssl.bundle",
                    "is '" + name + "', but there is no SSL bundle of that name",
                    "define spring.ssl.bundle.jks." + name + " or spring.ssl.bundle.pem." + name
                            + ", or correct the name");
        }
    }
}
