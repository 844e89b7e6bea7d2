package io.github.zklock.testcontainers;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.ApplicationContext;

/** Applications whose ZooKeeper is in containers. What they start is stopped with them. */
final class ContainerContexts {

    private static final Duration LONG = Duration.ofMinutes(1);

    private ContainerContexts() {}

    static ApplicationContextRunner of(Class<?> configuration) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SslAutoConfiguration.class,
                        ServiceConnectionAutoConfiguration.class,
                        ZkLockAutoConfiguration.class))
                .withUserConfiguration(configuration);
    }

    static void takesALock(ApplicationContext context) throws InterruptedException {
        try (LockHandle handle =
                context.getBean(LockRegistry.class).lock("/order-stats").acquire(LONG)) {
            handle.ensureHeld();
        }
    }
}
