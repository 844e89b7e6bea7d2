package io.github.zklock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockState;
import io.github.zklock.autoconfigure.startup.ZkLockStartupAutoConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;

class RegistryLifecycleTest {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void closeContext() {
        context.close();
    }

    @Test
    void theRegistryEndsAfterWebServerAndExecutors() {
        assertThat(RegistryLifecycle.PHASE)
                .isLessThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE)
                .isLessThan(ExecutorConfigurationSupport.DEFAULT_PHASE);
    }

    @Test
    void aClosingContextWaitsForHoldersAndThenClosesTheClient() throws Exception {
        start("zk.lock.shutdown-timeout=1m");
        CuratorFramework client = context.getBean(CuratorFramework.class);
        LockHandle handle = acquire("/drained");
        List<Object> seen = Collections.synchronizedList(new ArrayList<>());

        Thread closing = new Thread(context::close);
        closing.start();
        Awaitility.await().until(() -> isRefusing());
        seen.add(handle.state());
        seen.add(client.getState());
        handle.close();
        closing.join();

        assertThat(seen).containsExactly(LockState.HELD, CuratorFrameworkState.STARTED);
        assertThat(handle.state()).isEqualTo(LockState.RELEASED);
        assertThat(client.getState()).isEqualTo(CuratorFrameworkState.STOPPED);
        assertThat(Contexts.server().treeBelow("/locks")).noneMatch(path -> path.startsWith("/locks/drained/_c_"));
    }

    @Test
    void aClosedContextLeavesALockWithItsHolderAndItsSessionUntilItIsReleased() {
        start("zk.lock.shutdown-timeout=0");
        CuratorFramework client = context.getBean(CuratorFramework.class);
        LockHandle handle = acquire("/kept-at-close");

        context.close();

        assertThat(handle.isHeld()).isTrue();
        assertThat(client.getState()).isEqualTo(CuratorFrameworkState.STARTED);
        assertThat(Contexts.server().treeBelow("/locks")).anyMatch(path -> path.startsWith("/locks/kept-at-close/_c_"));
        handle.close();
        Awaitility.await().until(() -> client.getState() == CuratorFrameworkState.STOPPED);
        assertThat(Contexts.server().treeBelow("/locks"))
                .noneMatch(path -> path.startsWith("/locks/kept-at-close/_c_"));
    }

    @Test
    void aClosedContextReleasesHeldLocksIfConfigured() throws Exception {
        start("zk.lock.shutdown-timeout=0", "zk.lock.on-close=release-held");
        LockHandle handle = acquire("/taken");
        CountDownLatch lost = new CountDownLatch(1);
        handle.onLost(lost::countDown);

        context.close();

        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThat(lost.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Contexts.server().treeBelow("/locks")).noneMatch(path -> path.startsWith("/locks/taken/_c_"));
    }

    @Test
    void aContextThatStopsAndStartsAgainKeepsItsLocks() {
        start();
        LockHandle handle = acquire("/kept");

        context.stop();
        context.start();

        assertThat(handle.isHeld()).isTrue();
        acquire("/kept-as-well").close();
        handle.close();
    }

    @Test
    void aContextThatWasStoppedBeforeItClosesDrainsAllTheSame() {
        start("zk.lock.shutdown-timeout=0", "zk.lock.on-close=release-held");
        LockHandle handle = acquire("/stopped");

        context.stop();
        context.close();

        assertThat(handle.state()).isEqualTo(LockState.LOST);
    }

    @Test
    void aContextWhoseEventsRunOnAnotherThreadDrainsBeforeItsBeansAreDestroyed() throws Exception {
        List<Runnable> delayed = Collections.synchronizedList(new ArrayList<>());
        SimpleApplicationEventMulticaster events = new SimpleApplicationEventMulticaster(context.getBeanFactory());
        events.setTaskExecutor(delayed::add);
        context.registerBean(
                AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
                ApplicationEventMulticaster.class,
                () -> events);
        start("zk.lock.shutdown-timeout=1m");
        CountDownLatch destroyed = new CountDownLatch(1);
        context.getDefaultListableBeanFactory()
                .registerDisposableBean("witness", (DisposableBean) destroyed::countDown);
        LockHandle handle = acquire("/drained-without-events");

        Thread closing = new Thread(context::close);
        closing.start();
        Awaitility.await().until(this::isRefusing);
        long destroyedWhileHeld = 1 - destroyed.getCount();
        handle.close();
        closing.join();

        assertThat(destroyedWhileHeld).isZero();
        assertThat(destroyed.getCount()).isZero();
    }

    @Test
    void aPausedContextKeepsItsLocks() {
        start();

        assertThat(context.getBean(RegistryLifecycle.class).isPauseable()).isFalse();
    }

    @Test
    void aChildContextThatClosesLeavesTheRegistryAlone() {
        start();
        LockHandle handle = acquire("/parent");

        try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            child.setParent(context);
            child.refresh();
        }
        context.stop();

        assertThat(handle.isHeld()).isTrue();
        handle.close();
    }

    @Test
    void aChildContextThatIsConfiguredLikeItsParentUsesTheRegistryOfThatAndLeavesItAlone() {
        start();
        LockHandle handle = acquire("/parent-of-the-like");

        try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            child.setParent(context);
            child.register(
                    SslAutoConfiguration.class, ZkLockAutoConfiguration.class, ZkLockStartupAutoConfiguration.class);
            child.refresh();
            assertThat(child.getBean(LockRegistry.class)).isSameAs(context.getBean(LockRegistry.class));
            assertThat(child.getBeansOfType(SmartLifecycle.class)).isEmpty();
        }

        assertThat(handle.isHeld()).isTrue();
        handle.close();
    }

    @Test
    void aContextThatFailsToStartLeavesNoSessionBehind() {
        context.registerBean(SmartLifecycle.class, () -> new SmartLifecycle() {
            @Override
            public void start() {
                acquire("/failing").close();
                throw new IllegalStateException("planned");
            }

            @Override
            public void stop() {}

            @Override
            public boolean isRunning() {
                return false;
            }
        });
        // sessions of earlier tests may still end
        Set<Long> before = Contexts.server().sessions();

        assertThatThrownBy(this::start).hasRootCauseMessage("planned");

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> before.containsAll(Contexts.server().sessions()));
    }

    private boolean isRefusing() {
        try {
            context.getBean(LockRegistry.class)
                    .lock("/late")
                    .tryAcquire(Duration.ZERO)
                    .ifPresent(LockHandle::close);
            return false;
        } catch (LockRegistryClosedException closed) {
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void start(String... properties) {
        TestPropertyValues.of("zk.lock.connect-string=" + Contexts.server().connectString())
                .and(properties)
                .applyTo(context);
        context.register(SslAutoConfiguration.class, ZkLockAutoConfiguration.class);
        context.refresh();
    }

    private LockHandle acquire(String name) {
        try {
            return context.getBean(LockRegistry.class).lock(name).acquire(Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
