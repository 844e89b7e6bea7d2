package io.github.zklock.test.autoconfigure;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Gives each context of a test a development server of its own, unless a port is set. On the default port, a test would
 * join the server of an application that runs on this machine, and use its locks.
 */
final class ServerPerContext implements EnvironmentPostProcessor {

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        environment
                .getPropertySources()
                .addLast(new MapPropertySource("zk-lock of tests", Map.of("zk.lock.embedded.port", 0)));
    }
}
