package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.TcpProxy;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.Principal;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * An application with a web server, and a ZooKeeper server behind a network that the test controls. The test sends HTTP
 * requests.
 */
final class ShopApplication implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final LocalZooKeeper server = new LocalZooKeeper();
    private final TcpProxy network = new TcpProxy(server.connectString());
    private final ConfigurableApplicationContext context;

    ShopApplication(WebApplicationType type, String... properties) {
        String[] fixed = {
            "server.port=0",
            "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                    + "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
            "spring.docker.compose.enabled=false",
            "spring.main.banner-mode=off",
            "spring.jmx.enabled=true",
            "spring.jmx.unique-names=true",
            "management.endpoints.web.exposure.include=*",
            "management.endpoints.jmx.exposure.include=zklocks",
            "management.endpoint.health.show-details=always",
            "zk.lock.connect-string=" + network.connectString(),
            "zk.lock.connection-timeout=20s",
            "zk.lock.instance-id=shop-1"
        };
        context = new SpringApplicationBuilder(Shop.class)
                .web(type)
                .properties(Stream.of(fixed, properties).flatMap(Stream::of).toArray(String[]::new))
                .run();
    }

    ZooKeeperLockRegistry registry() {
        return context.getBean(ZooKeeperLockRegistry.class);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    LocalZooKeeper server() {
        return server;
    }

    TcpProxy network() {
        return network;
    }

    /** Creates a registry of another process, which is not behind this network. */
    ZooKeeperLockRegistry otherProcess(String instance) {
        return ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .instance(instance)
                .sessionTimeout(Duration.ofSeconds(10))
                .build();
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(uri(path)).GET());
    }

    HttpResponse<String> delete(String path) {
        return send(HttpRequest.newBuilder(uri(path)).DELETE());
    }

    HttpResponse<String> deleteAs(String user, String path) {
        return send(HttpRequest.newBuilder(uri(path)).header("X-User", user).DELETE());
    }

    @Override
    public void close() {
        context.close();
        network.close();
        server.close();
    }

    private URI uri(String path) {
        ConfigurableEnvironment environment = context.getEnvironment();
        return URI.create("http://localhost:" + environment.getProperty("local.server.port") + path);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking", e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        Filter userByHeader() {
            return (request, response, chain) -> {
                HttpServletRequest plain = (HttpServletRequest) request;
                String user = plain.getHeader("X-User");
                chain.doFilter(
                        new HttpServletRequestWrapper(plain) {
                            @Override
                            public Principal getUserPrincipal() {
                                return user == null ? null : () -> user;
                            }
                        },
                        response);
            };
        }
    }
}
