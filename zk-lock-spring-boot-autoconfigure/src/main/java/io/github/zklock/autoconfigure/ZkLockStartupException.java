package io.github.zklock.autoconfigure;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reports why an application does not start: its ZooKeeper servers are unknown or cannot be used, or its configuration is
 * invalid. It carries a remedy, which Spring Boot prints. It contains no secret.
 */
public final class ZkLockStartupException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    /** @param remedy what to do, in the imperative, with the names of the properties */
    public ZkLockStartupException(String message, String remedy, @Nullable Throwable cause) {
        super(message, cause);
        this.remedy = Objects.requireNonNull(remedy, "remedy");
    }

    /** Returns what to do about it. */
    public String remedy() {
        return remedy;
    }
}
