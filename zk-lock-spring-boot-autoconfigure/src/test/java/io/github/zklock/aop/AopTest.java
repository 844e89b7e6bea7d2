package io.github.zklock.aop;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.autoconfigure.method.ZkLockAopAutoConfiguration;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Applications with annotated beans, on a real server that all tests of a JVM share. Each test uses names of its own.
 */
abstract class AopTest {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final LocalZooKeeper SERVER = new LocalZooKeeper();

    static LocalZooKeeper server() {
        return SERVER;
    }

    /** Creates a registry that represents another process. */
    static ZooKeeperLockRegistry registry() {
        return registryAt(SERVER.connectString());
    }

    static ZooKeeperLockRegistry registryAt(String connectString) {
        return ZooKeeperLockRegistry.builder()
                .connectString(connectString)
                .closeOnExit(false)
                .build();
    }

    static ApplicationContextRunner application(Class<?>... beans) {
        return withBeans(
                applicationWithoutRegistry()
                        .withBean(
                                "zkLockRegistry",
                                LockRegistry.class,
                                (Supplier<LockRegistry>) AopTest::registry,
                                definition -> definition.setLazyInit(true)),
                beans);
    }

    static ApplicationContextRunner applicationWithoutRegistry() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class));
    }

    static ApplicationContextRunner withBeans(ApplicationContextRunner application, Class<?>... beans) {
        ApplicationContextRunner runner = application;
        for (Class<?> bean : beans) {
            runner = runner.withBean(bean);
        }
        return runner;
    }

    /** Returns the names of the locks of the running call, outermost first. */
    static List<String> heldNow() {
        return LockContext.current().stream()
                .map(handle -> handle.name().value())
                .toList();
    }

    /** Makes the running call lose its innermost lock, and returns when the handle has detected the loss. */
    static void lose() {
        List<LockHandle> held = LockContext.current();
        lose(held.get(held.size() - 1));
    }

    static void lose(LockHandle handle) {
        handle.loseAfter(Duration.ofNanos(1));
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> handle.state() == LockState.LOST);
    }
}
