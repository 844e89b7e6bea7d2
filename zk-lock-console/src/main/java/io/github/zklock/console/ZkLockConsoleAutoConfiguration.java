package io.github.zklock.console;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Auto-configuration of the endpoint {@code lockconsole}, a page that shows locks. */
@AutoConfiguration(after = ZkLockAutoConfiguration.class)
@ConditionalOnBean(LockRegistry.class)
@ConditionalOnAvailableEndpoint(LockConsoleEndpoint.class)
@ImportRuntimeHints(ZkLockConsoleAutoConfiguration.Files.class)
public final class ZkLockConsoleAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockConsoleEndpoint zkLockConsoleEndpoint(ObjectProvider<PathMappedEndpoints> endpoints) {
        return new LockConsoleEndpoint(endpoints);
    }

    /** Registers the files of the page, which a native image reads from its class path. */
    static final class Files implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern("io/github/zklock/console/*");
        }
    }
}
