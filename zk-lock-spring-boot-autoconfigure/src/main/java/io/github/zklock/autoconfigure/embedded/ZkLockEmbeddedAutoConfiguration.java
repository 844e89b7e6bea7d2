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
 * A ZooKeeper server for development inside the application, or the one that another instance has started. Inactive
 * unless {@code zk.lock.embedded.enabled} is true, and if {@code zk.lock.connect-string} or a bean has the connection
 * details. The server is started when a client first needs it.
 */
@AutoConfiguration(before = ZkLockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "zk.lock.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("zk.lock.embedded.enabled")
@ConditionalOnMissingBean(ZkLockConnectionDetails.class)
@EnableConfigurationProperties(ZkLockEmbeddedProperties.class)
public final class ZkLockEmbeddedAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(ZkLockEmbeddedAutoConfiguration.class);
    private static final String CONNECT_STRING = "zk.lock.connect-string";

    /** The scope that Spring Boot's devtools register, where the application restarts in the same process. */
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

        // lazy, both: an application with a client or a registry of its own needs no server
        @Lazy
        @Bean(destroyMethod = "close")
        EmbeddedZooKeeper zkLockEmbeddedZooKeeper(
                ZkLockEmbeddedProperties properties, ResourceLoader resources, ConfigurableBeanFactory beans) {
            Prerequisites.check(resources.getClassLoader());
            // the context after a restart finds the server on its port; on any free port it could not
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

    /** Matches if no text is set as the connect string. */
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
