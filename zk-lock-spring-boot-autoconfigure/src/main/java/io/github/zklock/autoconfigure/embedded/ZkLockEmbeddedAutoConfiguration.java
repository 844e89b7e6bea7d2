package io.github.zklock.autoconfigure.embedded;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration of a ZooKeeper server for development inside the application, or of the connection to a server
 * that another instance has started. It is active only if {@code zk.lock.embedded.enabled} is true. It backs off if
 * {@code zk.lock.connect-string} is set or a bean provides the connection details. The server is started when a client
 * first needs it.
 */
@AutoConfiguration(before = ZkLockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "zk.lock.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("zk.lock.embedded.enabled")
@ConditionalOnMissingBean(ZkLockConnectionDetails.class)
@EnableConfigurationProperties(ZkLockEmbeddedProperties.class)
public final class ZkLockEmbeddedAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(ZkLockEmbeddedAutoConfiguration.class);
    private static final String CONNECT_STRING = "zk.lock.connect-string";

    /** The scope that Spring Boot's devtools register. The application then restarts in the same process. */
    private static final String RESTART_SCOPE = "restart";

    ZkLockEmbeddedAutoConfiguration(Environment environment) {
        if (hasConnectString(environment)) {
            LOG.info(
                    "No embedded ZooKeeper server is started for zk.lock.embedded.enabled=true, because {} is set",
                    CONNECT_STRING);
        }
    }

    private static boolean hasConnectString(Environment environment) {
        return StringUtils.hasText(environment.getProperty(CONNECT_STRING));
    }

    /** The server and its address. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnNoConnectString.class)
    static class Server {

        // both beans are lazy: an application with a client or a registry of its own needs no server
        @Lazy
        @Bean(destroyMethod = "close")
        EmbeddedZooKeeper zkLockEmbeddedZooKeeper(
                ZkLockEmbeddedProperties properties, ResourceLoader resources, ConfigurableBeanFactory beans) {
            Prerequisites.check(resources.getClassLoader());
            // with a fixed port, the context after a restart can find the running server
            boolean outlivesContext = beans.getRegisteredScope(RESTART_SCOPE) != null && properties.port() != 0;
            return outlivesContext
                    ? EmbeddedZooKeeper.startUntilTheProcessEnds(properties.port(), properties.dataDirectory())
                    : EmbeddedZooKeeper.start(properties.port(), properties.dataDirectory());
        }

        @Lazy
        @Bean
        ZkLockConnectionDetails zkLockEmbeddedConnectionDetails(EmbeddedZooKeeper server) {
            return server::connectString;
        }
    }

    /** Matches if the connect string is not set or empty. */
    static final class OnNoConnectString extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConditionMessage.Builder message = ConditionMessage.forCondition("No " + CONNECT_STRING);
            return hasConnectString(context.getEnvironment())
                    ? ConditionOutcome.noMatch(message.because("it is set"))
                    : ConditionOutcome.match(message.because("it is not set"));
        }
    }
}
