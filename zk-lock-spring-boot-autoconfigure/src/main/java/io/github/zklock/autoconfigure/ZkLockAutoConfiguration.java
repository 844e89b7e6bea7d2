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

    /** Runs before a bean is created with a default value instead of a value that is set under a former name. */
    @Bean
    static BeanFactoryPostProcessor zkLockRenamedProperties(Environment environment) {
        return beans -> PropertyChecks.checkNames(environment);
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

    /** The auto-configured registry, if neither the application nor a parent context has one. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(LockRegistry.class)
    static class OwnRegistry {

        // lazy: a test may replace the registry
        @Lazy
        @Bean
        RegistryClient zkLockRegistryClient(
                ZkLockProperties properties,
                ListableBeanFactory beans,
                ObjectProvider<ZkLockConnectionDetails> details) {
            CuratorFramework client = ClientChoice.from(beans);
            List<String> acl = properties.getAcl();
            ZkLockConnectionDetails used = isClientOfTheApplication(beans) ? null : details.getIfAvailable();
            return new RegistryClient(
                    client,
                    acl == null ? null : AccessList.parse(acl),
                    () -> used == null ? null : used.getSslBundle());
        }

        @Bean(name = REGISTRY, destroyMethod = "close")
        ZooKeeperLockRegistry zkLockRegistry(
                ZkLockProperties properties,
                ListableBeanFactory beans,
                Environment environment,
                ObjectProvider<ZooKeeperLockRegistryCustomizer> customizers) {
            if (isClientOfTheApplication(beans)) {
                ClientChoice.warnOfPropertiesWithoutEffect(environment);
            }
            ZooKeeperLockRegistry registry = new RegistryAssembly(properties)
                    .build(
                            beans.getBean(RegistryClient.class),
                            InstanceName.of(properties.getInstanceId(), environment),
                            customizers.orderedStream().toList());
            beans.getBeanProvider(ClientAssembly.class).ifAvailable(own -> own.keepFor(registry));
            return registry;
        }

        @Bean
        RegistryLifecycle zkLockRegistryLifecycle(
                @Qualifier(REGISTRY) LockRegistry registry,
                ZkLockProperties properties,
                ConfigurableApplicationContext context) {
            return new RegistryLifecycle(registry, properties.getShutdownTimeout(), context);
        }

        private static boolean isClientOfTheApplication(ListableBeanFactory beans) {
            return beans.getBeanNamesForType(OwnClient.class).length == 0;
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
