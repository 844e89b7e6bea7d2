package io.github.zklock.test;

import io.github.zklock.LockRegistry;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * An {@link EmbeddedZooKeeper} for the tests of a class and of its nested classes. After each test, connections are
 * accepted again. After the last test, the server is closed.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final EmbeddedZooKeeperExtension zooKeeper = new EmbeddedZooKeeperExtension();
 *
 * @DynamicPropertySource
 * static void properties(DynamicPropertyRegistry properties) {
 *     properties.add("zk.lock.connect-string", zooKeeper::connectString);
 * }
 * }</pre>
 *
 * <p>If the extension is registered by {@code @ExtendWith}, tests receive the server as a parameter of type {@link
 * EmbeddedZooKeeper}. If it is registered in a field that is not static, each test has a server of its own.
 */
public final class EmbeddedZooKeeperExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {

    // each extension has its own namespace
    private final Namespace namespace = Namespace.create(EmbeddedZooKeeperExtension.class, new Object());
    private volatile @Nullable EmbeddedZooKeeper server;

    /** Returns {@link EmbeddedZooKeeper#connectString()}. */
    public String connectString() {
        return server().connectString();
    }

    /** Calls {@link EmbeddedZooKeeper#expireSession(LockRegistry)}. */
    public void expireSession(LockRegistry registry) {
        server().expireSession(registry);
    }

    /** Calls {@link EmbeddedZooKeeper#expireSession(CuratorFramework)}. */
    public void expireSession(CuratorFramework client) {
        server().expireSession(client);
    }

    /** Calls {@link EmbeddedZooKeeper#expireSessions()}. */
    public void expireSessions() {
        server().expireSessions();
    }

    /** Calls {@link EmbeddedZooKeeper#sever()}. */
    public void sever() {
        server().sever();
    }

    /** Calls {@link EmbeddedZooKeeper#heal()}. */
    public void heal() {
        server().heal();
    }

    /** Calls {@link EmbeddedZooKeeper#restart()}. */
    public void restart() {
        server().restart();
    }

    /**
     * Returns the server.
     *
     * @throws IllegalStateException before the first test
     */
    public EmbeddedZooKeeper server() {
        EmbeddedZooKeeper running = server;
        if (running == null) {
            throw new IllegalStateException(
                    "The embedded ZooKeeper server is not started yet; register the extension in a"
                            + " static field with @RegisterExtension, and use it only in tests");
        }
        return running;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = serverOf(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        server = serverOf(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        server().heal();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == EmbeddedZooKeeper.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return serverOf(context);
    }

    /** Returns the server of this context, which JUnit closes with the context. */
    private EmbeddedZooKeeper serverOf(ExtensionContext context) {
        return context.getStore(namespace)
                .computeIfAbsent(EmbeddedZooKeeper.class, key -> new EmbeddedZooKeeper(), EmbeddedZooKeeper.class);
    }
}
