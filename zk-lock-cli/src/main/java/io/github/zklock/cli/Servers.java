package io.github.zklock.cli;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.client.ConnectStringParser;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.StringUtils;
import picocli.CommandLine.Option;

/**
 * The options of the connection. Each one sets a property {@code zk.lock.*}; all others are read as an application of
 * Spring Boot reads them, from environment variables and from files.
 */
final class Servers {

    @Option(
            names = {"-c", "--connect"},
            paramLabel = "HOST:PORT,...",
            description = "The ZooKeeper servers (zk.lock.connect-string, or the variable ZK_LOCK_CONNECTSTRING).")
    private @Nullable String connectString;

    @Option(
            names = "--base-path",
            paramLabel = "PATH",
            description = "The node below which the locks are (zk.lock.base-path, by default /locks).")
    private @Nullable String basePath;

    @Option(
            names = "--session-timeout",
            paramLabel = "TIME",
            description = "After this time, the locks of an unreachable process are free (zk.lock.session-timeout, by"
                    + " default 20s).")
    private @Nullable Duration sessionTimeout;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "A file with properties zk.lock.*, such as the application.yml of a service. A file zk-lock.yml"
                            + " or zk-lock.properties in the working directory is read without this option.")
    private @Nullable Path config;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print what the client logs.")
    private boolean verbose;

    /** The beans of a connection: no candidate of a leadership, no advice, no server. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        PropertyPlaceholderAutoConfiguration.class,
        SslAutoConfiguration.class,
        ZkLockAutoConfiguration.class
    })
    static class Beans {}

    /**
     * Fails the start if no property names servers, with the remedies of a command instead of an application's. Reports
     * unknown hosts at once, because the command reports only later that it cannot connect.
     */
    private record ServersCheck(PrintWriter err) implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

        @Override
        public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
            String servers = event.getEnvironment().getProperty("zk.lock.connect-string");
            if (!StringUtils.hasText(servers)) {
                throw new ConfigurationException(
                        "No servers are named; use --connect zk1:2181,zk2:2181, the environment"
                                + " variable ZK_LOCK_CONNECTSTRING, or zk.lock.connect-string in the file of --config");
            }
            hosts(servers)
                    .filter(host -> !isKnown(host))
                    .forEach(host -> err.println("zk-lock: The host '" + host
                            + "' is unknown; correct --connect or zk.lock.connect-string, or check the name service"));
        }

        private static Stream<String> hosts(String servers) {
            try {
                return new ConnectStringParser(servers)
                        .getServerAddresses().stream()
                                .map(InetSocketAddress::getHostString)
                                .distinct();
            } catch (IllegalArgumentException malformed) {
                // the registry reports it
                return Stream.empty();
            }
        }

        private static boolean isKnown(String host) {
            try {
                InetAddress.getByName(host);
                return true;
            } catch (UnknownHostException unknown) {
                return false;
            }
        }
    }

    /** A registry and its client, until it is closed. */
    record Connection(ConfigurableApplicationContext context) implements AutoCloseable {

        LockRegistry locks() {
            return context.getBean(LockRegistry.class);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    /**
     * Connects in the background.
     *
     * @param err receives what is wrong with the names of servers, which may be resolved later
     */
    Connection connect(PrintWriter err) {
        if (config != null && !Files.isReadable(config)) {
            throw new ConfigurationException("The file " + config + " of --config cannot be read");
        }
        SpringApplication application = new SpringApplicationBuilder(Beans.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .listeners(new ServersCheck(err))
                .properties("spring.config.name=zk-lock", "spring.application.name=zk-lock")
                .build();
        try {
            return new Connection(application.run(arguments().toArray(String[]::new)));
        } catch (ConfigurationException missing) {
            throw missing;
        } catch (RuntimeException failed) {
            Throwable root = NestedExceptionUtils.getMostSpecificCause(failed);
            throw new ConfigurationException("The connection cannot be configured: " + root.getMessage());
        }
    }

    private List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        set(arguments, "zk.lock.connect-string", connectString);
        set(arguments, "zk.lock.base-path", basePath);
        set(arguments, "zk.lock.session-timeout", sessionTimeout);
        set(arguments, "spring.config.additional-location", config == null ? null : config.toUri());
        set(arguments, "logging.level.root", verbose ? "info" : null);
        // their errors come with stack traces, and the message of the command names the cause
        set(arguments, "logging.level.org.apache.zookeeper", verbose ? "info" : "off");
        set(arguments, "logging.level.org.apache.curator", verbose ? "info" : "off");
        // the message of the command names the cause; a report with remedies has another logger
        set(arguments, "logging.level.org.springframework.boot.SpringApplication", "off");
        return arguments;
    }

    private static void set(List<String> arguments, String property, @Nullable Object value) {
        if (value != null) {
            arguments.add("--" + property + "=" + value);
        }
    }
}
