package io.github.zklock.aop;

import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector;
import io.github.zklock.LockRegistry;
import io.github.zklock.config.TestApplication;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * One application for each test class, whose beans return asynchronous results, and a registry of another process that
 * competes for the locks.
 */
abstract class LaterCallTest extends AopTest {

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
        eventually(() -> held().isEmpty() && awaited().isEmpty());
    }

    static void start(Class<?>... beans) {
        start(Map.of(), beans);
    }

    static void start(Map<String, Object> properties, Class<?>... beans) {
        context = TestApplication.of(beans).withProperties(properties).start();
    }

    static <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    static LockInspector inspector() {
        return bean(LockRegistry.class).inspector();
    }

    static List<String> held() {
        return inspector().held().stream().map(held -> held.name().value()).toList();
    }

    static List<String> awaited() {
        return inspector().awaited().stream()
                .map(awaited -> awaited.name().value())
                .toList();
    }

    static void awaitWaitingFor(String name) {
        eventually(() -> awaited().contains(name));
    }

    static void awaitHeld(String name) {
        eventually(() -> held().contains(name));
    }

    static void awaitFree(String name) {
        eventually(() -> !held().contains(name));
    }

    static LockHandle heldByOthers(String name) throws InterruptedException {
        return others.lock(name).acquire();
    }

    /** Releases the application's lock by force, as an operator does. */
    static void lose(String name) throws InterruptedException {
        inspector().evict(name, inspector().queue(name).get(0).id());
    }

    static void eventually(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .pollDelay(0, TimeUnit.MILLISECONDS)
                .pollInterval(2, TimeUnit.MILLISECONDS)
                .until(condition);
    }

    /** Releases the application's lock by force, and waits until its handle has detected the loss. */
    static void loseKnowingly(LockHandle handle) throws InterruptedException {
        lose(handle.name().value());
        eventually(() -> handle.state().isFinal());
    }
}
