package io.github.zklock.autoconfigure;

import io.github.zklock.LockRegistry;
import io.github.zklock.aop.CallDefaults;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
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
            beans.getBeanProvider(ClientAssembly.class).ifAvailable(own -> own.keepFor(registry));
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
    static class OwnClient {

        // lazy, both: an application with a registry of its own may need no client
        @Lazy
        @Bean
        ClientAssembly zkLockClientAssembly(ZkLockProperties properties, ZkLockConnectionDetails details) {
            return new ClientAssembly(properties, details);
        }

        // closed by the assembly, not by the container: that would end the session of locks that are still held (M31)
        @Lazy
        @Bean(name = CLIENT, destroyMethod = "")
        CuratorFramework zkLockCuratorFramework(
                ClientAssembly assembly, ObjectProvider<CuratorFrameworkBuilderCustomizer> customizers) {
            return assembly.start(customizers.orderedStream().toList());
        }
    }
}
