package io.github.zklock.docs.guide.wiring;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.JksKeyStore;
import org.springframework.boot.testcontainers.service.connection.JksTrustStore;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.testcontainers.containers.GenericContainer;

/** A server that speaks TLS and asks for certificates. */
@TestConfiguration(proxyBeanMethods = false)
class SecureContainers {

    @Bean
    @ServiceConnection("zookeeper")
    @JksKeyStore(location = "classpath:client.p12", password = "changeit", type = "PKCS12")
    @JksTrustStore(location = "classpath:servers.p12", password = "changeit", type = "PKCS12")
    GenericContainer<?> zookeeper() {
        return new GenericContainer<>("zookeeper:3.9")
                .withEnv("ZOO_CFG_EXTRA", "secureClientPort=2281 serverCnxnFactory=...") // and its stores
                .withExposedPorts(2281);
    }
}
