package io.github.zklock.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsNotFoundException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.containers.GenericContainer;

/** Connection details that need no running container. */
class ZooKeeperContainerConnectionDetailsFactoryTest {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class));

    @Test
    void aContainerNamedZooKeeperIsAServiceConnection() {
        contexts.withUserConfiguration(Named.class)
                .run(context -> assertThat(context).hasSingleBean(ZkLockConnectionDetails.class));
    }

    @Test
    void detailsOfTheApplicationPrecedeThoseOfAContainer() {
        contexts.withUserConfiguration(Named.class)
                .withBean("ours", ZkLockConnectionDetails.class, () -> () -> "zk.example:2181")
                .run(context -> assertThat(context)
                        .getBean(ZkLockConnectionDetails.class)
                        .extracting(ZkLockConnectionDetails::getConnectString)
                        .isEqualTo("zk.example:2181"));
    }

    @Test
    void aContainerOfAnotherImageIsIgnored() {
        contexts.withUserConfiguration(NamedOtherwise.class)
                .run(context ->
                        assertThat(context).getFailure().isInstanceOf(ConnectionDetailsNotFoundException.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class Named {

        @Bean
        @ServiceConnection("zookeeper")
        GenericContainer<?> zookeeper() {
            return new NotStarted();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamedOtherwise {

        @Bean
        @ServiceConnection("something-else")
        GenericContainer<?> other() {
            return new NotStarted();
        }
    }

    private static final class NotStarted extends GenericContainer<NotStarted> {

        NotStarted() {
            super("zookeeper:3.9");
        }

        @Override
        public void start() {
            throw new AssertionError("The container must not be started");
        }
    }
}
