package io.github.zklock.autoconfigure.fence;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.autoconfigure.internal.client.InstanceName;
import io.github.zklock.fence.JdbcFence;
import io.github.zklock.transaction.TransactionFence;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Auto-configuration of fenced JDBC transactions, if {@code zk.lock.fence.jdbc.names} is set. */
@AutoConfiguration(afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@Conditional(FenceRequested.class)
public final class ZkLockFenceAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({JdbcTransactionManager.class, DataSourceScriptDatabaseInitializer.class})
    @EnableConfigurationProperties(ZkLockFenceProperties.class)
    static class Jdbc {

        @Bean
        FencedDataSources zkLockFencedDataSources(ZkLockFenceProperties properties, ListableBeanFactory beans) {
            return FencedDataSources.of(properties.dataSources(), beans);
        }

        /** Creates the table before the first transaction can begin under a lock. */
        @Bean
        @ConditionalOnMissingBean(TransactionFence.class)
        JdbcFence zkLockJdbcFence(
                ZkLockFenceProperties properties, FencedDataSources dataSources, Environment environment) {
            dataSources.byName().values().forEach(each -> new FenceSchemaInitializer(each, properties).initialize());
            String instance = InstanceName.of(environment.getProperty("zk.lock.instance-id"), environment)
                    .orElseGet(InstanceName::ofHost);
            return new JdbcFence(properties.names(), dataSources.byName(), properties.table(), () -> instance);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer")
    static class WithoutJdbc {

        /** Fails the start: without Spring's JDBC support, no transaction would be fenced. */
        @Bean
        static BeanFactoryPostProcessor zkLockFenceWithoutJdbc() {
            return beans -> {
                throw new InvalidZkLockPropertyException(
                        "zk.lock.fence.jdbc",
                        "has no effect, because spring-boot-jdbc is not on the class path",
                        "add spring-boot-starter-jdbc or spring-boot-starter-data-jpa, or remove the property");
            };
        }
    }
}
