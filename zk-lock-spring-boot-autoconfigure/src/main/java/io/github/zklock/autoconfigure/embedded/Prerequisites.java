package io.github.zklock.autoconfigure.embedded;

import io.github.zklock.autoconfigure.startup.ZkLockStartupException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Checks that the libraries of an embedded server are on the class path. */
final class Prerequisites {

    private Prerequisites() {}

    static void check(@Nullable ClassLoader classLoader) {
        List<String> missing = classesByArtifact().entrySet().stream()
                .filter(each -> !ClassUtils.isPresent(each.getValue(), classLoader))
                .map(Map.Entry::getKey)
                .toList();
        if (!missing.isEmpty()) {
            throw new ZkLockStartupException(
                    "zk.lock.embedded.enabled=true requires " + String.join(" and ", missing)
                            + " on the class path: a ZooKeeper server needs more libraries than a client",
                    "Add " + String.join(" and ", missing)
                            + " to the dependencies of the application, or remove"
                            + " zk.lock.embedded.enabled and set zk.lock.connect-string.",
                    null);
        }
    }

    private static Map<String, String> classesByArtifact() {
        Map<String, String> classes = new LinkedHashMap<>();
        classes.put(
                "org.apache.zookeeper:zookeeper:3.9", "org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded");
        classes.put("io.dropwizard.metrics:metrics-core:4.1", "com.codahale.metrics.Reservoir");
        classes.put("org.xerial.snappy:snappy-java:1.1", "org.xerial.snappy.SnappyInputStream");
        return classes;
    }
}
