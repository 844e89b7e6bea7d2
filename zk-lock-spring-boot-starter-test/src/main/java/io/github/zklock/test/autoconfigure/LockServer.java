package io.github.zklock.test.autoconfigure;

/** What the locks of a test rest on. */
public enum LockServer {
    /** A cluster in memory, of one process: no server, no client, no waiting. */
    IN_MEMORY,
    /** A real ZooKeeper server in this JVM, of the test's context alone. */
    EMBEDDED,
    /** What the application is configured with: {@code zk.lock.connect-string}, or a container. */
    AS_CONFIGURED
}
