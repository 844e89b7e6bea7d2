package io.github.zklock.test.autoconfigure;

/** The servers that the locks of a test use. */
public enum LockServer {
    /** A cluster in memory with one process. It needs no server and no client, and answers at once. */
    IN_MEMORY,
    /** A real ZooKeeper server in this JVM, only for the context of the test. */
    EMBEDDED,
    /** The servers that the application configures: {@code zk.lock.connect-string}, or a container. */
    AS_CONFIGURED
}
