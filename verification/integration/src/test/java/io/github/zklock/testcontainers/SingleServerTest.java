package io.github.zklock.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import org.junit.jupiter.api.Test;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@RequiresZooKeeperImage
class SingleServerTest {

    @Test
    void aContainerBeanIsTheServerOfTheLocks() {
        ContainerContexts.of(Server.class).run(context -> {
            ZooKeeperServer server = context.getBean(ZooKeeperServer.class);

            ContainerContexts.takesALock(context);

            assertThat(context.getBean(ZkLockConnectionDetails.class).getConnectString())
                    .isEqualTo(server.hostAndPort());
        });
    }

    @Test
    void aContainerGoesBeforeTheConnectString() {
        ContainerContexts.of(Server.class)
                .withPropertyValues("zk.lock.connect-string=zk.example:2181")
                .run(ContainerContexts::takesALock);
    }

    @Configuration(proxyBeanMethods = false)
    static class Server {

        @Bean
        @ServiceConnection("zookeeper")
        ZooKeeperServer zookeeper() {
            return new ZooKeeperServer();
        }
    }
}
