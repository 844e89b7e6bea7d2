package io.github.zklock.browser;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.RunOncePer;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Instance {@code shop-1} of an application with the console in it, ZooKeeper, and other instances. */
final class ConsoleApplication implements AutoCloseable {

    private final EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper();
    private final List<ZooKeeperLockRegistry> others = new ArrayList<>();
    private final String[] properties;
    private ConfigurableApplicationContext context;

    ConsoleApplication(String... properties) {
        this.properties = properties;
        this.context = run(0);
    }

    /** The address of the page. */
    String page() {
        return "http://127.0.0.1:" + port() + "/actuator/lockconsole";
    }

    ZooKeeperLockRegistry registry() {
        return context.getBean(ZooKeeperLockRegistry.class);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    CuratorFramework client() {
        return context.getBean(CuratorFramework.class);
    }

    EmbeddedZooKeeper zooKeeper() {
        return zooKeeper;
    }

    /** Another process with the same locks. */
    ZooKeeperLockRegistry instance(String name) {
        ZooKeeperLockRegistry other = ZooKeeperLockRegistry.builder()
                .connectString(zooKeeper.connectString())
                .instance(name)
                .sessionTimeout(Duration.ofMinutes(2))
                .closeOnExit(false)
                .build();
        others.add(other);
        return other;
    }

    /** Asks for a lock on a thread of this name, which waits for it. */
    static CompletableFuture<LockHandle> ask(LockRegistry registry, String thread, String lock) {
        CompletableFuture<LockHandle> answer = new CompletableFuture<>();
        Runnable work = () -> {
            try {
                answer.complete(registry.lock(lock).acquire());
            } catch (InterruptedException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        };
        new Thread(work, thread).start();
        return answer;
    }

    /** Stops the application, and with it the page; what it returns starts both again. */
    Runnable stop() {
        int port = port();
        context.close();
        return () -> context = run(port);
    }

    @Override
    public void close() {
        context.close();
        others.forEach(ZooKeeperLockRegistry::close);
        zooKeeper.close();
    }

    private int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private ConfigurableApplicationContext run(int port) {
        Stream<String> fixed = Stream.of(
                // not the configuration of the sample, which is on the class path, too
                "spring.config.name=console-in-browser",
                "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "spring.application.name=ordershop",
                "spring.main.banner-mode=off",
                // locks that are lost when an application ends are no news here
                "logging.level.root=error",
                "server.address=127.0.0.1",
                "server.port=" + port,
                "zk.lock.connect-string=" + zooKeeper.connectString(),
                "zk.lock.instance-id=shop-1",
                "management.endpoints.web.exposure.include=zklocks,lockconsole");
        return new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.SERVLET)
                .run(Stream.concat(fixed, Stream.of(properties))
                        .map(property -> "--" + property)
                        .toArray(String[]::new));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Jobs jobs() {
            return new Jobs();
        }

        /** What Spring Security answers to a user who may read and not release. */
        @Bean
        @ConditionalOnBooleanProperty("test.forbid-release")
        Filter releasesAreForbidden() {
            return (request, response, rest) -> {
                if (((HttpServletRequest) request).getMethod().equals("DELETE")) {
                    ((HttpServletResponse) response).sendError(HttpServletResponse.SC_FORBIDDEN);
                } else {
                    rest.doFilter(request, response);
                }
            };
        }
    }

    /** The declarations alone; the tests hold the locks of the runs. */
    static class Jobs {

        @RunOncePer(name = "/jobs/nightly-cleanup", window = "1d")
        public void clean() {}

        @RunOncePer(name = "/jobs/price-import", window = "15m")
        public void importPrices() {}
    }
}
