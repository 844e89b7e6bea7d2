package io.github.zklock.autoconfigure.method;

import io.github.zklock.autoconfigure.InvalidZkLockPropertyException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties {@code zk.lock.async.*}.
 *
 * @param concurrencyLimit Number of asynchronous annotated methods that can run at once on threads of zk-lock until
 *     they return their future or publisher. A call that exceeds the limit fails, and its lock is released.
 */
@ConfigurationProperties("zk.lock.async")
record ZkLockAsyncProperties(@DefaultValue("256") int concurrencyLimit) {

    ZkLockAsyncProperties {
        if (concurrencyLimit < 1) {
            throw new InvalidZkLockPropertyException(
                    "zk.lock.async.concurrency-limit", concurrencyLimit + " lets no method run", "use 1 or more");
        }
    }
}
