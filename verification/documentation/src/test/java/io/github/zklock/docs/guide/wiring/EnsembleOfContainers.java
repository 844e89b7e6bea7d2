package io.github.zklock.docs.guide.wiring;

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.testcontainers.containers.GenericContainer;

/** Several containers that are one ensemble. */
@TestConfiguration(proxyBeanMethods = false)
class EnsembleOfContainers {

    // snippet:details
    @Bean
    ZkLockConnectionDetails ensemble(List<GenericContainer<?>> servers) {
        return () -> servers.stream()
                .map(server -> server.getHost() + ":" + server.getMappedPort(2181))
                .collect(Collectors.joining(","));
    }
    // end:details
}
