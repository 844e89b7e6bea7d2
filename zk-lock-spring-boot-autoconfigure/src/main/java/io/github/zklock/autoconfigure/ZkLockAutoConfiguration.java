package io.github.zklock.autoconfigure;

import io.github.zklock.LockRegistry;
import io.github.zklock.aop.CallDefaults;
import io.github.zklock.autoconfigure.internal.client.InstanceName;
import io.github.zklock.autoconfigure.internal.client.RegistryClient;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
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

/**
 * Auto-configuration of a {@link LockRegistry} on ZooKeeper, with a client from {@code zk.lock.*} or with the
 * application's own Curator client.
 */
@AutoConfiguration(
        after = SslAutoConfiguration.class,
        afterName = "org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration")
@ConditionalOnClass({CuratorFramework.class, ZooKeeper.class})
@ConditionalOnBooleanProperty(name = "zk.lock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ZkLockProperties.class)
public final class ZkLockAutoConfiguration {

    /** The bean name of the client that the registry uses. */
    static final String CLIENT = "zkLockCuratorFramework";

    /** The bean name of the registry. */
    static final String REGISTRY = "zkLockRegistry";

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

    /** The auto-configured registry, if neither the application nor a parent context has one. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(LockRegistry.class)
    static class OwnRegistry {

        // lazy: a test may replace the registry
        @Lazy
        @Bean
        RegistryClient zkLockRegistryClient(ZkLockProperties properties, ListableBeanFactory beans) {
            List<String> acl = properties.acl();
            return new RegistryClient(ClientChoice.from(beans), acl == null ? null : AccessList.parse(acl));
        }

        @Bean(name = REGISTRY, destroyMethod = "close")
        ZooKeeperLockRegistry zkLockRegistry(
                ZkLockProperties properties,
                ListableBeanFactory beans,
                Environment environment,
                ObjectProvider<ZooKeeperLockRegistryCustomizer> customizers) {
            if (beans.getBeanNamesForType(OwnClient.class).length == 0) {
                ClientChoice.warnOfPropertiesWithoutEffect(environment);
            }
            RegistryClient client = beans.getBean(RegistryClient.class);
            ZooKeeperLockRegistry.Builder builder = ZooKeeperLockRegistry.builder()
                    .client(client.framework())
                    .connectionTimeout(properties.connectionTimeout())
                    .basePath(properties.basePath())
                    .policy(properties.lockPolicies())
                    .onClose(properties.onClose())
                    .lockOrder(properties.lockOrder())
                    .onDeadlock(properties.onDeadlock())
                    // the application context closes the registry, in the order of its phases
                    .closeOnExit(false);
            InstanceName.of(properties.instanceId(), environment).ifPresent(builder::instance);
            if (client.acls() != null) {
                builder.acl(client.acls());
            }
            customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
            ZooKeeperLockRegistry registry = builder.build();
            beans.getBeanProvider(ClientAssembly.class).ifAvailable(own -> own.keepFor(registry));
            return registry;
        }

        @Bean
        RegistryLifecycle zkLockRegistryLifecycle(
                @Qualifier(REGISTRY) LockRegistry registry,
                ZkLockProperties properties,
                ConfigurableApplicationContext context) {
            return new RegistryLifecycle(registry, properties.shutdownTimeout(), context);
        }
    }

    /** The auto-configured client, if the application has none. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(CuratorFramework.class)
    static class OwnClient {

        // both beans are lazy: an application with a registry of its own may need no client
        @Lazy
        @Bean
        ClientAssembly zkLockClientAssembly(ZkLockProperties properties, ZkLockConnectionDetails details) {
            return new ClientAssembly(properties, details);
        }

        // the assembly closes the client: if the container did, the session of locks that are still held would end
        // (M31)
        @Lazy
        @Bean(name = CLIENT, destroyMethod = "")
        CuratorFramework zkLockCuratorFramework(
                ClientAssembly assembly, ObjectProvider<CuratorFrameworkBuilderCustomizer> customizers) {
            return assembly.start(customizers.orderedStream().toList());
        }
    }
}
