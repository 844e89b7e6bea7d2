package io.github.zklock.autoconfigure;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why an application must not start with the ZooKeeper servers or the configuration that it has. It carries what to do
 * about it, which Spring Boot prints, and never a secret.
 */
public final class ZkLockStartupException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    /** @param remedy what to do, in the imperative, with the names of the properties */
    public ZkLockStartupException(String message, String remedy, @Nullable Throwable cause) {
        super(message, cause);
        this.remedy = Objects.requireNonNull(remedy, "remedy");
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
