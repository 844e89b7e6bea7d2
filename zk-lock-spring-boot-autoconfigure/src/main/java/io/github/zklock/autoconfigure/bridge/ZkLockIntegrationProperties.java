package io.github.zklock.autoconfigure.bridge;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.support.NamePrefix;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What {@code zk.lock.integration.*} says.
 *
 * @param enabled Whether to offer the locks to Spring Integration as a registry of its own.
 * @param prefix Name below which the locks of Spring Integration lie.
 */
@ConfigurationProperties("zk.lock.integration")
record ZkLockIntegrationProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/integration") String prefix) {

    ZkLockIntegrationProperties {
        try {
            prefix = new NamePrefix(prefix).value();
        } catch (IllegalArgumentException wrong) {
            throw new InvalidZkLockPropertyException(
                    "zk.lock.integration.prefix",
                    "is not a valid prefix of lock names: " + wrong.getMessage(),
                    "use a name such as /integration");
        }
    }
}
