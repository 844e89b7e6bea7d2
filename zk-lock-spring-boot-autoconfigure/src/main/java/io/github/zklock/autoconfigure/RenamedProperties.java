package io.github.zklock.autoconfigure;

import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The former names of properties, which are no longer bound. {@code additional-spring-configuration-metadata.json}
 * contains the same names for editors and for the properties migrator.
 */
final class RenamedProperties {

    static final Map<String, String> REPLACEMENTS = Map.of(
            "zk.lock.console.enabled", "management.endpoints.web.exposure.include",
            "zk.lock.console.path", "management.endpoints.web.path-mapping.lockconsole",
            "zk.lock.console.remote-access", "management.server.address",
            "zk.lock.drain", "zk.lock.shutdown-timeout",
            "zk.lock.instance", "zk.lock.instance-id",
            "zk.lock.retry.attempts", "zk.lock.retry.max-attempts",
            "zk.lock.retry.base", "zk.lock.retry.initial-interval",
            "zk.lock.retry.max", "zk.lock.retry.max-interval");

    private RenamedProperties() {}

    static void check(Environment environment) {
        Binder binder = Binder.get(environment);
        REPLACEMENTS.forEach((former, current) -> {
            if (binder.bind(former, String.class).isBound()) {
                throw new InvalidZkLockPropertyException(former, "is no longer read", "use " + current);
            }
        });
    }
}
