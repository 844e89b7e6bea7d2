package io.github.zklock.autoconfigure.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ZkLockEventAutoConfigurationTest {

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ZkLockEventAutoConfiguration.class));

    @Test
    void isAbsentWithoutARegistry() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("zkLockEventPublisher"));
    }

    @Test
    void isPresentWithARegistry() {
        application
                .withBean(
                        "zkLockRegistry",
                        LockRegistry.class,
                        () -> ZooKeeperLockRegistry.builder()
                                .connectString("127.0.0.1:1")
                                .build())
                .run(context -> assertThat(context).hasBean("zkLockEventPublisher"));
    }
}
