package io.github.zklock.console;

import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application with the page and its endpoint, a ZooKeeper server, and a registry that represents another process.
 */
final class ConsoleApplication implements AutoCloseable {

    private final LocalZooKeeper server = new LocalZooKeeper();
    private final ConfigurableApplicationContext context;
    private final ZooKeeperLockRegistry other;

    ConsoleApplication(WebApplicationType type, Class<?> configuration, String... properties) {
        String[] fixed = {
            "server.port=0",
            "spring.main.banner-mode=off",
            "management.endpoints.web.exposure.include=zklocks,lockconsole",
            "zk.lock.connect-string=" + server.connectString(),
            "zk.lock.instance-id=shop-1"
        };
        context = new SpringApplicationBuilder(Plain.class, configuration)
                .web(type)
                .properties(Stream.of(fixed, properties).flatMap(Stream::of).toArray(String[]::new))
                .run();
        other = ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .instance("billing-1")
                .sessionTimeout(Duration.ofSeconds(60))
                .build();
    }

    Browser browser() {
        return new Browser(port("local.server.port"));
    }

    Browser managementBrowser() {
        return new Browser(port("local.management.port"));
    }

    /** Returns the registry of the other process. */
    ZooKeeperLockRegistry other() {
        return other;
    }

    @Override
    public void close() {
        context.close();
        other.close();
        server.close();
    }

    private int port(String property) {
        return context.getEnvironment().getRequiredProperty(property, Integer.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {}
}
