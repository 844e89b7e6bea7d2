package io.github.zklock.autoconfigure.bridge;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.support.NamePrefix;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties {@code zk.lock.integration.*}.
 *
 * @param enabled Whether to provide a lock registry for Spring Integration.
 * @param prefix Name below which Spring Integration's locks are created.
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
