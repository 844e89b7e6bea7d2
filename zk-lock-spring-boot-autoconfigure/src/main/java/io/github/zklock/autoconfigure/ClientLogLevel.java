package io.github.zklock.autoconfigure;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.Ordered;

/**
 * Keeps ZooKeeper's client quiet while it has no connection, as it logs three lines a second then, and a stack trace a
 * second for each host that cannot be resolved. Only where zk-lock makes the client, and never where the application has
 * set a level for it. The levels hold for the whole JVM, as levels do: its other ZooKeeper clients are quiet meanwhile as
 * well.
 */
final class ClientLogLevel implements CuratorFrameworkBuilderCustomizer, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(ClientLogLevel.class);
    private static final String CONNECTION = "org.apache.zookeeper.ClientCnxn";
    private static final Map<String, LogLevel> QUIET =
            Map.of(CONNECTION, LogLevel.ERROR, "org.apache.zookeeper.client.StaticHostProvider", LogLevel.OFF);

    private final @Nullable LoggingSystem logging;
    private final ReentrantLock lock = new ReentrantLock();

    // guarded by lock
    private boolean ofOurClient;
    private final Set<String> lowered = new HashSet<>();

    ClientLogLevel(@Nullable LoggingSystem logging) {
        this.logging = logging;
    }

    /** The client is about to be built, and is about to fail to connect. */
    @Override
    public void customize(CuratorFrameworkFactory.Builder builder) {
        lock.lock();
        try {
            ofOurClient = true;
        } finally {
            lock.unlock();
        }
        quiet();
    }

    /** Before those of the application, which thus have the last word. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /** Lowers the levels that may be lowered, and returns what to tell about it. */
    String quiet() {
        lock.lock();
        try {
            if (ofOurClient && logging != null) {
                QUIET.forEach((logger, level) -> lower(logging, logger, level));
            }
        } finally {
            lock.unlock();
        }
        return hint();
    }

    /** Back to what they were: inherited. */
    void restore() {
        lock.lock();
        try {
            if (logging != null) {
                lowered.forEach(logger -> logging.setLogLevel(logger, null));
            }
            lowered.clear();
        } finally {
            lock.unlock();
        }
    }

    /** What to tell about it, to be appended to a sentence. */
    String hint() {
        lock.lock();
        try {
            return lowered.contains(CONNECTION)
                    ? ", without a line per attempt (set logging.level." + CONNECTION + " to see them)"
                    : "";
        } finally {
            lock.unlock();
        }
    }

    private void lower(LoggingSystem system, String logger, LogLevel level) {
        try {
            if (!lowered.contains(logger) && isUnset(system, logger)) {
                system.setLogLevel(logger, level);
                lowered.add(logger);
            }
        } catch (RuntimeException unsupported) {
            LOG.debug("The level of {} cannot be changed", logger, unsupported);
        }
    }

    /** Whether neither the logger nor a parent below the root has a level. */
    private static boolean isUnset(LoggingSystem system, String logger) {
        LoggerConfiguration configuration = system.getLoggerConfiguration(logger);
        if (configuration != null && configuration.getConfiguredLevel() != null) {
            return false;
        }
        int dot = logger.lastIndexOf('.');
        return dot < 0 || isUnset(system, logger.substring(0, dot));
    }
}
