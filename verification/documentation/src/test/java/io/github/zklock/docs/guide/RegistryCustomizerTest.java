package io.github.zklock.docs.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZooKeeperLockRegistryCustomizer;
import io.github.zklock.test.EmbeddedZooKeeper;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What {@code docs/configuration.md} shows for settings without a property. */
class RegistryCustomizerTest {

    @Configuration(proxyBeanMethods = false)
    static class Customized {

        // snippet:customizer
        @Bean
        ZooKeeperLockRegistryCustomizer moreSeats() {
            return builder -> builder.seatBudget(900_000) // bytes
                    .retry(Duration.ofMillis(100), Duration.ofSeconds(5)); // pauses between attempts of a recovery
        }
        // end:customizer
    }

    @Test
    void aCustomizerSetsWhatHasNoProperty() {
        try (EmbeddedZooKeeper server = new EmbeddedZooKeeper()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
                    .withUserConfiguration(Customized.class)
                    .withPropertyValues("zk.lock.connect-string=" + server.connectString())
                    .run(context -> {
                        LockRegistry locks = context.getBean(LockRegistry.class);
                        try (LockHandle handle = locks.lock("/orders/7").acquire(Duration.ofMinutes(1))) {
                            assertThat(handle.isHeld()).isTrue();
                            assertThat(locks.inspector().session().seatBudget()).isEqualTo(900_000);
                        }
                    });
        }
    }
}
