package io.github.zklock.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.fixture.LocalZooKeeper;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.SpringVersion;
import org.springframework.util.ClassUtils;

/** Two instances of an application on Spring Boot 3, with the core alone, on one ZooKeeper server. */
class SpringBoot3Test {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int THREADS_OF_AN_INSTANCE = 2;
    private static final int UPDATES_OF_A_THREAD = 25;

    private final LocalZooKeeper server = new LocalZooKeeper();
    private final Warehouse warehouse = new Warehouse();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final List<ConfigurableApplicationContext> instances = new ArrayList<>();

    @BeforeEach
    void startInstances() {
        startInstance();
        startInstance();
    }

    @AfterEach
    void stop() throws InterruptedException {
        instances.forEach(ConfigurableApplicationContext::close);
        threads.shutdownNow();
        assertThat(threads.awaitTermination(TIMEOUT.toMinutes(), TimeUnit.MINUTES))
                .isTrue();
        server.close();
    }

    @Test
    void theClassPathContainsSpringBoot3AndTheCoreAlone() {
        List<String> jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).getFileName().toString())
                .toList();

        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
        assertThat(SpringVersion.getVersion()).startsWith("6.2.");
        assertThat(jars)
                .filteredOn(jar -> jar.startsWith("spring-boot"))
                .isNotEmpty()
                .allMatch(jar -> jar.contains("-3.5."));
        assertThat(ClassUtils.isPresent("org.springframework.boot.health.contributor.Health", null))
                .as("a class of Spring Boot 4")
                .isFalse();
        assertThat(ClassUtils.isPresent("io.github.zklock.annotation.DistributedLock", null))
                .as("the annotation of zk-lock-spring")
                .isFalse();
    }

    @Test
    void theInstancesUpdateOneAfterTheOther() throws Exception {
        List<Callable<@Nullable Void>> updates = new ArrayList<>();
        for (int i = 0; i < THREADS_OF_AN_INSTANCE; i++) {
            updates.add(() -> putRepeatedly(stock(0)));
            updates.add(() -> putRepeatedly(stock(1)));
        }

        for (Future<@Nullable Void> update : threads.invokeAll(updates)) {
            update.get();
        }

        assertThat(warehouse.overlaps()).isZero();
        assertThat(warehouse.items()).isEqualTo((long) updates.size() * UPDATES_OF_A_THREAD);
    }

    @Test
    void aBusyLockIsATimeout() throws InterruptedException {
        assertThat(stock(1).put(1)).isTrue();

        try (LockHandle held = locks(0).lock("/stock").acquire()) {
            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> stock(1).take(1));
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(warehouse.items()).isOne();
        assertThat(stock(1).take(1)).isTrue();
        assertThat(warehouse.items()).isZero();
    }

    @Test
    void aScheduledReportRunsOnOneInstanceAtATime() throws InterruptedException {
        Warehouse.Barrier barrier = warehouse.nextWaits();
        startInstance("--stock.report=* * * * * *");
        startInstance("--stock.report=* * * * * *");
        barrier.awaitReached();

        for (int i = 0; i < instances.size(); i++) {
            stock(i).report();
        }

        assertThat(warehouse.reports()).isOne();
        barrier.release();
        await().atMost(TIMEOUT).until(() -> warehouse.reports() > 1);
    }

    @Test
    void workThatOutlivesItsContextKeepsTheLockUntilItEnds() throws Exception {
        Warehouse.Barrier barrier = warehouse.nextWaits();
        Future<Boolean> work = threads.submit(() -> stock(0).put(1));
        barrier.awaitReached();

        instances.get(0).close();

        assertThat(locks(1).lock("/stock").tryAcquire()).isEmpty();
        barrier.release();
        assertThat(stock(1).put(2)).isTrue();
        assertThat(work.get()).isTrue();
        assertThat(warehouse.items()).isEqualTo(3);
    }

    @Test
    void aContextReleasesItsLocksOnCloseIfConfigured() throws Exception {
        ConfigurableApplicationContext closing = startInstance("--locks.on-close=release-held");
        Warehouse.Barrier barrier = warehouse.nextWaits();
        Future<Boolean> work = threads.submit(() -> closing.getBean(Stock.class).put(1));
        barrier.awaitReached();

        closing.close();

        assertThat(stock(1).put(2)).isTrue();
        barrier.release();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(work::get)
                .withCauseInstanceOf(LockLostException.class);
        assertThat(warehouse.items()).isEqualTo(2);
    }

    @Test
    void futuresAndOtherKindsOfLocksExcludeTheOtherInstance() throws Exception {
        ClusterLock lock = locks(0).lock("/lock");
        lock.lock();
        try {
            assertThat(locks(1).lock("/lock").tryAcquire()).isEmpty();
        } finally {
            lock.unlock();
        }
        try (LockHandle future =
                locks(0).lock("/future").acquireAsync().toCompletableFuture().get()) {
            assertThat(locks(1).lock("/future").tryAcquire()).isEmpty();
        }
        try (LockHandle reader = locks(0).readWriteLock("/document").readLock().acquire();
                LockHandle second =
                        locks(1).readWriteLock("/document").readLock().acquire()) {
            assertThat(locks(1).readWriteLock("/document").writeLock().tryAcquire())
                    .isEmpty();
        }
        try (LockHandle permit = locks(0).semaphore("/licences", 1).acquire()) {
            assertThat(locks(1).semaphore("/licences", 1).tryAcquire()).isEmpty();
        }
    }

    @Test
    void theHealthFollowsTheConnection() {
        awaitHealth(Status.UP);

        server.stop();
        awaitHealth(Status.DOWN);

        server.start();
        awaitHealth(Status.UP);
    }

    private @Nullable Void putRepeatedly(Stock stock) throws InterruptedException {
        for (int i = 0; i < UPDATES_OF_A_THREAD; i++) {
            assertThat(stock.put(1)).isTrue();
        }
        return null;
    }

    private void awaitHealth(Status expected) {
        HealthIndicator indicator = instances.get(0).getBean("locksHealthIndicator", HealthIndicator.class);
        await().atMost(TIMEOUT).until(() -> indicator.health().getStatus().equals(expected));
    }

    private Stock stock(int instance) {
        return instances.get(instance).getBean(Stock.class);
    }

    private LockRegistry locks(int instance) {
        return instances.get(instance).getBean(LockRegistry.class);
    }

    private ConfigurableApplicationContext startInstance(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--locks.servers=" + server.connectString());
        all.add("--locks.session-timeout=1m");
        ConfigurableApplicationContext instance = new SpringApplicationBuilder(StockApplication.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .initializers(context -> context.getBeanFactory().registerSingleton("warehouse", warehouse))
                .run(all.toArray(String[]::new));
        instances.add(instance);
        return instance;
    }
}
