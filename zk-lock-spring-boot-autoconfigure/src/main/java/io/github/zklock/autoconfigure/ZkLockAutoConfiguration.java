package io.github.zklock.autoconfigure;

import io.github.zklock.LockRegistry;
import io.github.zklock.aop.CallDefaults;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** A {@link LockRegistry} on ZooKeeper, made of {@code zk.lock.*} or on the application's own Curator client. */
@AutoConfiguration(
        after = SslAutoConfiguration.class,
        afterName = "org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration")
@ConditionalOnClass({CuratorFramework.class, ZooKeeper.class})
@ConditionalOnBooleanProperty(name = "zk.lock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ZkLockProperties.class)
public final class ZkLockAutoConfiguration {

    /** The name of the bean that is the client of the registry. */
    static final String CLIENT = "zkLockCuratorFramework";

    /** The name of the bean that is the registry. */
    static final String REGISTRY = "zkLockRegistry";

    /** Before any bean is made with a default in place of a value under a former name. */
    @Bean
    static BeanFactoryPostProcessor zkLockRenamedProperties(Environment environment) {
        return beans -> RenamedProperties.check(environment);
    }

    @Bean
    @ConditionalOnMissingBean(ZkLockConnectionDetails.class)
    ZkLockConnectionDetails zkLockConnectionDetails(ZkLockProperties properties, ObjectProvider<SslBundles> bundles) {
        return new PropertiesConnectionDetails(properties, bundles);
    }

    @Bean
    @ConditionalOnMissingBean
    CallDefaults zkLockCallDefaults(ZkLockProperties properties) {
        return new LockOverrides(properties);
    }

    /** The registry of our own, where neither the application nor a parent of its context has one. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(LockRegistry.class)
    static class OwnRegistry {

        @Bean(name = REGISTRY, destroyMethod = "close")
        ZooKeeperLockRegistry zkLockRegistry(
                ZkLockProperties properties,
                ListableBeanFactory beans,
                Environment environment,
                ObjectProvider<ZooKeeperLockRegistryCustomizer> customizers) {
            if (beans.getBeanNamesForType(OwnClient.class).length == 0) {
                ForeignClient.warnOfPropertiesWithoutEffect(environment);
            }
            ZooKeeperLockRegistry registry = new RegistryAssembly(properties)
                    .build(
                            ClientChoice.from(beans),
                            InstanceName.of(properties, environment),
                            customizers.orderedStream().toList());
            beans.getBeanProvider(OwnClient.class).ifAvailable(own -> own.keepFor(registry));
            return registry;
        }

        @Bean
        RegistryLifecycle zkLockRegistryLifecycle(
                @Qualifier(REGISTRY) ZooKeeperLockRegistry registry,
                ZkLockProperties properties,
                ConfigurableApplicationContext context) {
            return new RegistryLifecycle(registry, properties.getShutdownTimeout(), context);
        }
    }

    /** The client of our own, where the application has none. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(CuratorFramework.class)
    static class OwnClient implements DisposableBean {

        private @Nullable ClientAssembly assembly;
        private @Nullable CuratorFramework client;
        /** Completes when no registry needs the client any more. */
        private CompletableFuture<Void> unused = CompletableFuture.completedFuture(null);

        // lazy: an application with a registry of its own may need no client. Closed below, not by the container: that
        // would
        // end the session of locks that are still held (M31)
        @Lazy
        @Bean(name = CLIENT, destroyMethod = "")
        CuratorFramework zkLockCuratorFramework(
                ZkLockProperties properties,
                ObjectProvider<ZkLockConnectionDetails> details,
                ObjectProvider<CuratorFrameworkBuilderCustomizer> customizers) {
            ZkLockConnectionDetails found = details.getIfAvailable();
            if (found == null) {
                throw new NoZooKeeperException();
            }
            ClientAssembly begun = new ClientAssembly(properties, found);
            assembly = begun;
            CuratorFramework started = begun.start(customizers.orderedStream().toList());
            client = started;
            return started;
        }

        /** Has the client closed only when the registry, which uses it, holds nothing any more. */
        void keepFor(ZooKeeperLockRegistry registry) {
            unused = CompletableFuture.allOf(unused, registry.terminated().toCompletableFuture());
        }

        /** Comes after the close of the registry, which was made after this. */
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for holders that take longer than the drain
        public void destroy() {
            ClientAssembly made = assembly;
            if (made == null) {
                return;
            }
            if (!unused.isDone()) {
                // the JVM may end before the last holder has released its lock
                made.deleteFilesOnExit();
            }
            unused.thenRun(() -> {
                if (client != null) {
                    client.close();
                }
                made.deleteFiles();
            });
        }
    }
}
