package io.github.zklock.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** Where the ZooKeeper servers are. A bean of this type takes precedence over {@code zk.lock.connect-string}. */
public interface ZkLockConnectionDetails extends ConnectionDetails {

    /** The servers, as {@code host:port,host:port}, optionally followed by a path under which everything lies. */
    String getConnectString();

    /** What TLS needs; null for plain connections. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
