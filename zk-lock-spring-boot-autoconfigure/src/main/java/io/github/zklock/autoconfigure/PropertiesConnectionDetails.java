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
        String servers = properties.getConnectString();
        if (servers == null) {
            throw new NoZooKeeperException();
        }
        return servers;
    }

    /** {@link PropertyChecks} permits a username only with the scheme digest. */
    @Override
    public @Nullable String getUsername() {
        return properties.getAuth().getUsername();
    }

    @Override
    public @Nullable String getPassword() {
        return properties.getAuth().getPassword();
    }

    /** Calls the handler whenever the SSL bundle is reloaded. */
    void onSslBundleUpdate(Consumer<SslBundle> handler) {
        String name = properties.getSsl().getBundle();
        if (name != null) {
            bundles.getObject().addBundleUpdateHandler(name, handler);
        }
    }

    @Override
    public @Nullable SslBundle getSslBundle() {
        String name = properties.getSsl().getBundle();
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
