package io.github.zklock.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.zklock.LockLostException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.autoconfigure.bridge.ZkLockShedLockAutoConfiguration;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Scheduled tasks of two instances of an application, locked by ShedLock. */
class SchedulerLockTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final InMemoryLockRegistry firstProcess = cluster.join();
    private ConfigurableApplicationContext first;
    private ConfigurableApplicationContext second;

    @BeforeEach
    void start() {
        first = instance(firstProcess, Application.class);
        second = instance(cluster.join(), Application.class);
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
        cluster.close();
    }

    @Test
    void aTaskIsSkippedWhileItRunsElsewhere() throws Exception {
        Tasks running = first.getBean(Tasks.class);
        CompletableFuture<Void> run = CompletableFuture.runAsync(running::report);
        assertThat(running.begun().await(1, TimeUnit.MINUTES)).isTrue();

        second.getBean(Tasks.class).report();
        assertThat(second.getBean(Tasks.class).reports()).isZero();

        running.goOn().countDown();
        run.get(1, TimeUnit.MINUTES);
        second.getBean(Tasks.class).goOn().countDown();
        second.getBean(Tasks.class).report();
        assertThat(second.getBean(Tasks.class).reports()).isOne();
    }

    @Test
    void aTaskOfTheSameInstanceIsSkippedToo() throws Exception {
        Tasks tasks = first.getBean(Tasks.class);
        CompletableFuture<Void> run = CompletableFuture.runAsync(tasks::report);
        assertThat(tasks.begun().await(1, TimeUnit.MINUTES)).isTrue();

        tasks.report();

        assertThat(tasks.reports()).isOne();
        tasks.goOn().countDown();
        run.get(1, TimeUnit.MINUTES);
    }

    @Test
    void aTaskThatWasFastKeepsItsLockForItsLeastTime() {
        first.getBean(Tasks.class).fast();

        second.getBean(Tasks.class).fast();
        assertThat(second.getBean(Tasks.class).fastRuns()).isZero();

        first.close();
        second.getBean(Tasks.class).fast();
        assertThat(second.getBean(Tasks.class).fastRuns()).isOne();
    }

    @Test
    void aTaskExtendsItsLock() {
        first.getBean(Tasks.class).extending(() -> {
            LockExtender.extendActiveLock(LONG, Duration.ZERO);
            elsewhere(() -> second.getBean(Tasks.class).extending(() -> {
                throw new AssertionError("ran without the lock");
            }));
        });

        assertThat(firstProcess.inspector().held()).isEmpty();
    }

    @Test
    void aTaskThatLostItsLockCannotExtendIt() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> first.getBean(Tasks.class).extending(() -> {
                    firstProcess.loseSession();
                    assertThatExceptionOfType(LockExtender.LockCanNotBeExtendedException.class)
                            .isThrownBy(() -> LockExtender.extendActiveLock(LONG, Duration.ZERO));
                }));
    }

    @Test
    void aTaskThatSucceededLearnsThatItsLockWasLost() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> first.getBean(Tasks.class).extending(firstProcess::loseSession));
    }

    @Test
    void aTaskDoesNotRunDuringAnOutage() {
        cluster.outage();

        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> first.getBean(Tasks.class).extending(() -> {
                    throw new AssertionError("ran without the lock");
                }));
    }

    @Test
    void scheduledTasksOfTwoInstancesNeverRunAtTheSameTime() {
        Concurrency.reset();
        try (var one = instance(cluster.join(), Scheduling.class);
                var two = instance(cluster.join(), Scheduling.class)) {
            Ticking ticking = one.getBean(Ticking.class);
            Ticking other = two.getBean(Ticking.class);

            await().atMost(LONG).until(() -> ticking.runs() > 5 && other.runs() > 5);
        }
        assertThat(Concurrency.most.get()).isOne();
    }

    /** On another thread, of which ShedLock does not know that it has the lock of that name. */
    private static void elsewhere(Runnable call) {
        CompletableFuture.runAsync(call).join();
    }

    private static ConfigurableApplicationContext instance(InMemoryLockRegistry process, Class<?> configuration) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean("zkLockRegistry", InMemoryLockRegistry.class, () -> process);
        context.register(configuration, ZkLockShedLockAutoConfiguration.class);
        context.refresh();
        return context;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "PT1M")
    @Import(Tasks.class)
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @EnableSchedulerLock(defaultLockAtMostFor = "PT1M")
    @Import(Ticking.class)
    static class Scheduling {}

    static class Tasks {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final AtomicInteger reports = new AtomicInteger();
        private final AtomicInteger fastRuns = new AtomicInteger();

        @SchedulerLock(name = "report")
        public void report() {
            LockAssert.assertLocked();
            reports.incrementAndGet();
            begun.countDown();
            try {
                assertThat(goOn.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @SchedulerLock(name = "fast", lockAtMostFor = "PT1H", lockAtLeastFor = "PT1H")
        public void fast() {
            fastRuns.incrementAndGet();
        }

        @SchedulerLock(name = "extending")
        public void extending(Runnable body) {
            body.run();
        }

        // methods: the fields of a proxy are its own

        CountDownLatch begun() {
            return begun;
        }

        CountDownLatch goOn() {
            return goOn;
        }

        int reports() {
            return reports.get();
        }

        int fastRuns() {
            return fastRuns.get();
        }
    }

    static class Ticking {

        private final AtomicInteger runs = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        @Scheduled(fixedDelay = 1)
        @SchedulerLock(name = "ticking")
        public void tick() {
            Concurrency.enter();
            runs.incrementAndGet();
            Concurrency.leave();
        }
    }

    /** Of the tasks of all instances. */
    static final class Concurrency {

        static final AtomicInteger now = new AtomicInteger();
        static final AtomicInteger most = new AtomicInteger();

        private Concurrency() {}

        static void reset() {
            now.set(0);
            most.set(0);
        }

        static void enter() {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
        }

        static void leave() {
            now.decrementAndGet();
        }
    }
}
