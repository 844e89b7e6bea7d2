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
 * An {@link EmbeddedZooKeeper} for the tests of a class and its nested ones, healed after each test and closed after the
 * last.
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
 * Registered by {@code @ExtendWith}, it is had as a parameter of type {@link EmbeddedZooKeeper}. Registered in a field
 * that is not static, each test has a server of its own.
 */
public final class EmbeddedZooKeeperExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {

    // each extension has its own
    private final Namespace namespace = Namespace.create(EmbeddedZooKeeperExtension.class, new Object());
    private volatile @Nullable EmbeddedZooKeeper server;

    /** As {@link EmbeddedZooKeeper#connectString()}. */
    public String connectString() {
        return server().connectString();
    }

    /** As {@link EmbeddedZooKeeper#expireSession(LockRegistry)}. */
    public void expireSession(LockRegistry registry) {
        server().expireSession(registry);
    }

    /** As {@link EmbeddedZooKeeper#expireSession(CuratorFramework)}. */
    public void expireSession(CuratorFramework client) {
        server().expireSession(client);
    }

    /** As {@link EmbeddedZooKeeper#expireSessions()}. */
    public void expireSessions() {
        server().expireSessions();
    }

    /** As {@link EmbeddedZooKeeper#sever()}. */
    public void sever() {
        server().sever();
    }

    /** As {@link EmbeddedZooKeeper#heal()}. */
    public void heal() {
        server().heal();
    }

    /** As {@link EmbeddedZooKeeper#restart()}. */
    public void restart() {
        server().restart();
    }

    /**
     * The server.
     *
     * @throws IllegalStateException before the first test
     */
    public EmbeddedZooKeeper server() {
        EmbeddedZooKeeper running = server;
        if (running == null) {
            throw new IllegalStateException(
                    "The embedded ZooKeeper server is not started yet; register the extension in a"
                            + " static field with @RegisterExtension, and ask it from the tests on");
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

    /** JUnit closes it with the context for which it was made. */
    private EmbeddedZooKeeper serverOf(ExtensionContext context) {
        return context.getStore(namespace)
                .computeIfAbsent(EmbeddedZooKeeper.class, key -> new EmbeddedZooKeeper(), EmbeddedZooKeeper.class);
    }
}
