package io.github.zklock.embedded;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import io.github.zklock.autoconfigure.ZkLockStartupException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Auto-configuration of a ZooKeeper server for development inside the application, or of the connection to a server
 * that another instance has started. It backs off if {@code zk.lock.connect-string} is set, even to a blank value, or a
 * bean provides the connection details. The server is started when a client first needs it.
 */
@AutoConfiguration(before = ZkLockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "zk.lock.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(ZkLockConnectionDetails.class)
@Conditional(ZkLockEmbeddedAutoConfiguration.OnNoServers.class)
@EnableConfigurationProperties(ZkLockEmbeddedProperties.class)
public final class ZkLockEmbeddedAutoConfiguration {

    /** The scope that Spring Boot's devtools register. The application then restarts in the same process. */
    private static final String RESTART_SCOPE = "restart";

    // both beans are lazy: an application with a client or a registry of its own needs no server
    @Lazy
    @Bean(destroyMethod = "close")
    DevelopmentServer zkLockDevelopmentServer(
            ZkLockEmbeddedProperties properties, Environment environment, ConfigurableBeanFactory beans) {
        boolean canBeFound = properties.port() != 0;
        if (canBeFound) {
            refuseOnCloudPlatform(CloudPlatform.getActive(environment));
        }
        // the context after a restart finds the running server by its port
        return canBeFound && beans.getRegisteredScope(RESTART_SCOPE) != null
                ? DevelopmentServer.startUntilTheProcessEnds(properties.port(), properties.dataDirectory())
                : DevelopmentServer.start(properties.port(), properties.dataDirectory());
    }

    @Lazy
    @Bean
    ZkLockConnectionDetails zkLockEmbeddedConnectionDetails(DevelopmentServer server) {
        return server::connectString;
    }

    /** Each instance would have a server of its own, so that the instances would not exclude each other. */
    private static void refuseOnCloudPlatform(@Nullable CloudPlatform platform) {
        if (platform != null && platform != CloudPlatform.NONE) {
            throw new ZkLockStartupException(
                    "The embedded ZooKeeper server does not start on the cloud platform " + platform
                            + ": instances on different hosts would not share their locks",
                    "Set zk.lock.connect-string, and remove zk-lock-embedded from the packaged application. If this is a"
                            + " development environment, set spring.main.cloud-platform=none.",
                    null);
        }
    }

    /** Matches if no servers are configured, and outside ahead-of-time processing. */
    static final class OnNoServers extends SpringBootCondition {

        private static final String CONNECT_STRING = "zk.lock.connect-string";

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConditionMessage.Builder message = ConditionMessage.forCondition("Embedded ZooKeeper Server");
            if (context.getEnvironment().containsProperty(CONNECT_STRING)) {
                return ConditionOutcome.noMatch(message.because(CONNECT_STRING + " is set"));
            }
            // a server chosen at the build would also start where the connect string is set at run time
            if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
                return ConditionOutcome.noMatch(message.because("the application is processed ahead of time"));
            }
            return ConditionOutcome.match(message.because(CONNECT_STRING + " is not set"));
        }
    }
}
