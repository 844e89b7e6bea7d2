package io.github.zklock.console;

import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application with a console, a ZooKeeper server and a network between the two. */
final class ConsoleApplication implements AutoCloseable {

    private final LocalZooKeeper server = new LocalZooKeeper();
    private final TcpProxy network = new TcpProxy(server.connectString());
    private final ConfigurableApplicationContext context;

    ConsoleApplication(WebApplicationType type, Class<?> configuration, String... properties) {
        String[] fixed = {
            "server.port=0",
            "spring.application.name=shop",
            "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                    + "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
            "spring.docker.compose.enabled=false",
            "spring.main.banner-mode=off",
            "management.endpoint.zklocks.access=unrestricted",
            "zk.lock.console.enabled=true",
            "zk.lock.connect-string=" + network.connectString(),
            "zk.lock.connection-timeout=5s",
            "zk.lock.instance-id=shop-1"
        };
        context = new SpringApplicationBuilder(Plain.class, configuration)
                .web(type)
                .properties(Stream.of(fixed, properties).flatMap(Stream::of).toArray(String[]::new))
                .run();
    }

    Browser browser() {
        return new Browser(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    ZooKeeperLockRegistry registry() {
        return context.getBean(ZooKeeperLockRegistry.class);
    }

    LocalZooKeeper server() {
        return server;
    }

    TcpProxy network() {
        return network;
    }

    /** Another process, not behind the network of this one. */
    ZooKeeperLockRegistry otherProcess(String instance) {
        return ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .instance(instance)
                .sessionTimeout(Duration.ofSeconds(60))
                .build();
    }

    @Override
    public void close() {
        context.close();
        network.close();
        server.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {}
}
