package io.github.zklock.docs.guide.wiring;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.testcontainers.containers.GenericContainer;

// snippet:containers
@TestConfiguration(proxyBeanMethods = false)
class Containers {

    @Bean
    @ServiceConnection("zookeeper")
    GenericContainer<?> zookeeper() {
        return new GenericContainer<>("zookeeper:3.9").withExposedPorts(2181);
    }
}
// end:containers
