package io.github.zklock.autoconfigure.internal.client;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * The default level of the logger with which ZooKeeper's client reports each attempt to connect: two entries and a stack
 * trace for every second of an outage. What its warnings state, the registry and the health report once.
 *
 * <p>Any {@code logging.level} of this logger or of a package above it replaces the default; that of the root logger does
 * not.
 */
final class QuietClientLogging implements EnvironmentPostProcessor {

    static final String LOGGER = "org.apache.zookeeper.ClientCnxn";

    private static final String LEVELS = "logging.level";
    private static final Bindable<Map<String, String>> NAMES = Bindable.mapOf(String.class, String.class);

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (environment.getProperty("zk.lock.enabled", Boolean.class, true) && !isConfigured(environment)) {
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource("zkLockLogging", Map.of(LEVELS + "." + LOGGER, "error")));
        }
    }

    private static boolean isConfigured(ConfigurableEnvironment environment) {
        Set<String> names =
                Binder.get(environment).bind(LEVELS, NAMES).orElseGet(Map::of).keySet();
        // environment variables have no capital letters
        String own = LOGGER.toLowerCase(Locale.ROOT) + ".";
        return names.stream().anyMatch(name -> own.startsWith(name.toLowerCase(Locale.ROOT) + "."));
    }
}
