package io.github.zklock.aop;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.config.TestApplication;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** One application for each test class, and a registry of another process that competes for the locks. */
abstract class SynchronousCallTests extends AopTest {

    private static AnnotationConfigApplicationContext context;
    private static ZooKeeperLockRegistry others;

    @BeforeAll
    static void startOthers() {
        others = TestApplication.registry();
    }

    @AfterAll
    static void stop() {
        context.close();
        others.close();
    }

    @AfterEach
    void nothingIsLeft() {
        Awaitility.await().atMost(PATIENCE).until(() -> held().isEmpty());
    }

    static void start(Map<String, Object> properties, Class<?>... beans) {
        context = TestApplication.of(beans).withProperties(properties).start();
    }

    static <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    static List<String> held() {
        return bean(LockRegistry.class).inspector().held().stream()
                .map(held -> held.name().value())
                .toList();
    }

    /** Returns the registry of the other process. */
    static LockRegistry others() {
        return others;
    }

    static LockHandle heldByOthers(String name) throws InterruptedException {
        return others.lock(name).acquire(PATIENCE);
    }

    /**
     * Returns whether the other process can acquire the lock. It may have to wait a moment, because the release is sent
     * without waiting for its answer.
     */
    static boolean becomesFreeForOthers(String name) throws InterruptedException {
        var theirs = others.lock(name).tryAcquire(PATIENCE);
        theirs.ifPresent(LockHandle::close);
        return theirs.isPresent();
    }
}
