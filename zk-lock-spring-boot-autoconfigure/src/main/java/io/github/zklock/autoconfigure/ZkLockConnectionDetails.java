package io.github.zklock.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Connection details of the ZooKeeper servers. A bean of this type takes precedence over {@code zk.lock.connect-string}
 * and {@code zk.lock.ssl.bundle}. If it has a username, it also takes precedence over {@code zk.lock.auth.*}.
 */
public interface ZkLockConnectionDetails extends ConnectionDetails {

    /**
     * Returns the servers as {@code host:port,host:port}, optionally followed by a path below which all nodes are
     * created.
     */
    String getConnectString();

    /** Returns the user of the scheme {@code digest}; null if the details have no credentials. */
    default @Nullable String getUsername() {
        return null;
    }

    /** Returns the password of {@link #getUsername()}. */
    default @Nullable String getPassword() {
        return null;
    }

    /** Returns the SSL bundle of the connection; null for plain connections. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
