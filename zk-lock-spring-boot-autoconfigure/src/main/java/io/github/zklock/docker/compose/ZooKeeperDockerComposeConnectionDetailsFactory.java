package io.github.zklock.docker.compose;

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.ssl.SslBundle;

/**
 * Connection details of a Docker Compose service with a ZooKeeper image, or with the label {@code
 * org.springframework.boot.service-connection}. They describe one server. For an ensemble, the application declares the
 * connection details itself.
 */
final class ZooKeeperDockerComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<ZkLockConnectionDetails> {

    private static final String[] NAMES = {"zookeeper", "bitnami/zookeeper"};

    ZooKeeperDockerComposeConnectionDetailsFactory() {
        super(NAMES);
    }

    @Override
    protected ZkLockConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new ZooKeeperDockerComposeConnectionDetails(source.getRunningService());
    }

    private static final class ZooKeeperDockerComposeConnectionDetails extends DockerComposeConnectionDetails
            implements ZkLockConnectionDetails {

        private static final int CLIENT_PORT = 2181;

        private final String connectString;
        private final @Nullable SslBundle sslBundle;

        ZooKeeperDockerComposeConnectionDetails(RunningService service) {
            super(service);
            this.connectString = service.host() + ":" + portOf(service);
            this.sslBundle = getSslBundle(service);
        }

        // the TLS port is configured on the server, often beside a plain port that is not published
        private static int portOf(RunningService service) {
            var published = service.ports().getAll("tcp");
            return published.size() == 1 ? published.get(0) : service.ports().get(CLIENT_PORT);
        }

        @Override
        public String getConnectString() {
            return connectString;
        }

        @Override
        public @Nullable SslBundle getSslBundle() {
            return sslBundle;
        }
    }
}
