package io.github.zklock.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Addresses of the ZooKeeper servers, and what a connection to them needs. A bean of this type takes precedence over
 * {@code zk.lock.connect-string} and {@code zk.lock.ssl.bundle}, and over {@code zk.lock.auth.*} if it has a username.
 */
public interface ZkLockConnectionDetails extends ConnectionDetails {

    /** Returns the servers as {@code host:port,host:port}, optionally followed by a path below which all nodes are. */
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
