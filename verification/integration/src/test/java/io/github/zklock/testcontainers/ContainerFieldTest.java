package io.github.zklock.testcontainers;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

@RequiresZooKeeperImage
@SpringJUnitConfig
class ContainerFieldTest {

    @ServiceConnection
    static final ZooKeeperServer server = new ZooKeeperServer();

    @Autowired
    private ApplicationContext context;

    @AfterAll
    static void stop() {
        server.stop();
    }

    // so that the client is closed before its server stops
    @DirtiesContext
    @Test
    void theNameOfItsImageSaysThatAContainerIsZooKeeper() throws Exception {
        ContainerContexts.takesALock(context);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({SslAutoConfiguration.class, ZkLockAutoConfiguration.class})
    static class Application {}
}
