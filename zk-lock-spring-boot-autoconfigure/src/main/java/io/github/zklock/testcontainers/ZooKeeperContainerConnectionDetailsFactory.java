package io.github.zklock.testcontainers;

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/**
 * Connection details of a container with a ZooKeeper image, or with the annotation {@code
 * @ServiceConnection("zookeeper")}. They describe one server. For an ensemble, the application declares the connection
 * details itself.
 */
final class ZooKeeperContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<Container<?>, ZkLockConnectionDetails> {

    private static final List<String> NAMES = List.of("zookeeper", "library/zookeeper", "bitnami/zookeeper");

    ZooKeeperContainerConnectionDetailsFactory() {
        super(NAMES);
    }

    @Override
    protected ZkLockConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
        return new ZooKeeperContainerConnectionDetails(source);
    }

    private static final class ZooKeeperContainerConnectionDetails extends ContainerConnectionDetails<Container<?>>
            implements ZkLockConnectionDetails {

        private static final int CLIENT_PORT = 2181;

        ZooKeeperContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
            super(source);
        }

        @Override
        public String getConnectString() {
            Container<?> container = getContainer();
            return container.getHost() + ":" + container.getMappedPort(portOf(container));
        }

        // the TLS port is configured on the server, often beside a plain port that is not exposed
        private static int portOf(Container<?> container) {
            List<Integer> exposed = container.getExposedPorts();
            return exposed.isEmpty() || exposed.contains(CLIENT_PORT) ? CLIENT_PORT : exposed.get(0);
        }

        @Override
        public @Nullable SslBundle getSslBundle() {
            return super.getSslBundle();
        }
    }
}
