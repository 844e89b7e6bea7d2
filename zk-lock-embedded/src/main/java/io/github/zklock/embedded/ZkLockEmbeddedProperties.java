package io.github.zklock.embedded;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties {@code zk.lock.embedded.*}.
 *
 * @param port Port of the server on the loopback interface; 0 for any free port, which other instances cannot join.
 * @param dataDirectory Folder that keeps the server's data between runs. Unless set, a folder for this user and port
 *     among the temporary files, or a folder that is deleted at the end if the port is 0.
 */
@ConfigurationProperties("zk.lock.embedded")
record ZkLockEmbeddedProperties(
        @DefaultValue("21810") int port, @Nullable Path dataDirectory) {

    ZkLockEmbeddedProperties {
        if (port < 0 || port > 65_535) {
            throw new InvalidZkLockPropertyException(
                    "zk.lock.embedded.port",
                    port + " is not a port",
                    "use a number from 1 to 65535, or 0 for any free port");
        }
    }
}
