package io.github.zklock.autoconfigure.bridge;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import io.github.zklock.support.NamePrefix;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties {@code zk.lock.shedlock.*}.
 *
 * @param enabled Whether to provide a lock provider for ShedLock.
 * @param prefix Name below which ShedLock's locks are created.
 */
@ConfigurationProperties("zk.lock.shedlock")
record ZkLockShedLockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/shedlock") String prefix) {

    ZkLockShedLockProperties {
        try {
            prefix = new NamePrefix(prefix).value();
        } catch (IllegalArgumentException wrong) {
            throw new InvalidZkLockPropertyException(
                    "zk.lock.shedlock.prefix",
                    "is not a valid prefix of lock names: " + wrong.getMessage(),
                    "use a name such as /shedlock");
        }
    }
}
