package io.github.zklock.test.autoconfigure;

import io.github.zklock.LockRegistry;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import io.github.zklock.autoconfigure.ZkLockProperties;
import io.github.zklock.embedded.ZkLockEmbeddedAutoConfiguration;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import io.github.zklock.test.LockRecording;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

/** Auto-configuration that {@link AutoConfigureZkLock} adds to the context of a test. */
@AutoConfiguration(before = {ZkLockAutoConfiguration.class, ZkLockEmbeddedAutoConfiguration.class})
public final class ZkLockTestAutoConfiguration {

    static final String REGISTRY = "zkLockRegistry";
    static final String RECORDING = "zkLockRecording";

    // lazy: a recording requests locks, whose events also reach listeners of the application
    @Lazy
    @Bean(name = RECORDING, destroyMethod = "close")
    @ConditionalOnMissingBean
    LockRecording zkLockRecording(LockRegistry registry) {
        return LockRecording.of(registry);
    }

    /** Replaces the connection and the registries. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "zk.lock.test.server", havingValue = "IN_MEMORY")
    @EnableConfigurationProperties(ZkLockProperties.class)
    static final class InMemory {

        @Bean(destroyMethod = "close")
        @ConditionalOnMissingBean
        InMemoryLockCluster zkLockCluster() {
            return new InMemoryLockCluster();
        }

        @Bean(name = REGISTRY, destroyMethod = "close")
        @ConditionalOnMissingBean(LockRegistry.class)
        InMemoryLockRegistry zkLockRegistry(
                InMemoryLockCluster cluster, ZkLockProperties properties, Environment environment) {
            return MemberAssembly.join(cluster, properties, environment);
        }

        // prevents the start of a development server, and fails for a client that needs a connection
        @Primary
        @Bean
        ZkLockConnectionDetails zkLockTestConnectionDetails() {
            return () -> {
                throw new IllegalStateException(
                        "There is no ZooKeeper to connect to: the locks of this test are in memory."
                                + " Use @AutoConfigureZkLock(server = LockServer.EMBEDDED)");
            };
        }

        @Bean
        static ReplacedRegistries zkLockReplacedRegistries() {
            return new ReplacedRegistries();
        }
    }

    /** Starts a server and provides its connection details. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "zk.lock.test.server", havingValue = "EMBEDDED")
    static final class Embedded {

        @Bean(destroyMethod = "close")
        @ConditionalOnMissingBean
        EmbeddedZooKeeper zkLockTestServer() {
            return new EmbeddedZooKeeper();
        }

        // primary: the test requested this server, so that it takes precedence over containers
        @Primary
        @Bean
        ZkLockConnectionDetails zkLockTestConnectionDetails(EmbeddedZooKeeper server) {
            return server::connectString;
        }
    }
}
