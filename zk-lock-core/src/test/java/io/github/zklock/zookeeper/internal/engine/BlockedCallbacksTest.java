package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.github.zklock.ClusterJob;
import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.Handle;
import io.github.zklock.JobNotDueException;
import io.github.zklock.Leadership;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.OncePer;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Code of users that blocks wherever the library calls it. (L35)
 *
 * <p>Isolated, because an appender that blocks stops the log of all registries.
 */
@Isolated
class BlockedCallbacksTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LIMIT = Duration.ofSeconds(1);
    /** The longest time for an answer whose limit is {@link #LIMIT}, on a busy machine. */
    private static final Duration LATEST = Duration.ofSeconds(10);
    /** More than any caller does for others. */
    private static final int TASKS = 1_000;

    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final AtomicInteger blocked = new AtomicInteger();
    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.zklock");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getThreadName().startsWith("zk-lock")) {
                block();
            }
        }
    };
    private final LocalZooKeeper server = new LocalZooKeeper();
    private final List<ZooKeeperLockRegistry> open = new ArrayList<>();
    /** What has to end before the registries. */
    private final List<Callable<?>> ends = new CopyOnWriteArrayList<>();

    private final ZooKeeperLockRegistry other = registry(builder());
    private @Nullable LockHandle held;

    @BeforeEach
    void holdALockInAnotherProcess() throws Exception {
        held = other.lock("/held").acquire(PATIENCE);
    }

    @AfterEach
    void goOn() throws Exception {
        mayGoOn.countDown();
        log.detachAppender(appender);
        for (Callable<?> end : ends) {
            answer(end);
        }
        if (held != null) {
            held.close();
        }
        open.forEach(ZooKeeperLockRegistry::close);
        Leftovers.assertNone(server);
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 1_000})
    void callersAreAnsweredInTimeWhileCodeOfUsersBlocks(int stages) throws Exception {
        ZooKeeperLockRegistry.Builder options = builder().policy(this::policy).acl(new Lists());
        int listeners = Math.min(stages, 64);
        for (int i = 0; i < listeners; i++) {
            options.listener(event -> block());
        }
        CountDownLatch heard = new CountDownLatch(1);
        options.listener(event -> {
            if (event.name().equals(LockName.of("/free"))) {
                heard.countDown();
            }
        });
        ZooKeeperLockRegistry registry = registry(options);
        LockHandle bystander = registry.lock("/bystander").acquire(PATIENCE);
        blockLog();
        blockAll(registry, stages);
        Awaitility.await().atMost(PATIENCE).until(() -> blocked.get() >= 2 * stages + stages / 2);

        assertThat(answer(() -> tries(registry.lock("/free")))).isTrue();
        assertThat(answer(() -> tries(registry.lock("/held")))).isFalse();
        answer(() -> registry.lock("/next").acquireAsync(LIMIT).get()).close();
        assertThat(failure(() -> registry.lock("/held").acquireAsync(LIMIT).get()))
                .isInstanceOf(LockTimeoutException.class);
        assertThat(failure(() -> registry.allOf(registry.lock("/last"), registry.lock("/held"))
                        .acquireAsync(LIMIT)
                        .get()))
                .isInstanceOf(LockTimeoutException.class);
        assertJobsAreAnswered(registry);
        assertLeads(registry);
        assertLossIsReported(registry);
        assertThat(heard.await(LATEST.toSeconds(), TimeUnit.SECONDS))
                .as("an event")
                .isTrue();
        assertThat(bystander.isHeld()).isTrue();
        answer(() -> {
            registry.close(LIMIT);
            return true;
        });
        assertThat(bystander.isHeld()).isTrue();
        bystander.close();
    }

    @Test
    void ifAllThreadsForStagesAreBlockedFuturesFailAtOnce() throws Exception {
        ZooKeeperLockRegistry registry = registry(builder());
        blockStages(registry, Threads.MOST_CALLBACKS + 1);
        Awaitility.await().atMost(PATIENCE).until(() -> blocked.get() == Threads.MOST_CALLBACKS);

        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> registry.lock("/held").acquireAsync(LIMIT).isCompletedExceptionally());

        assertThat(failure(() -> registry.lock("/held").acquireAsync(LIMIT).get()))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("block all 2048 threads");
        assertThat(answer(() -> tries(registry.lock("/free")))).isTrue();
        ClusterJob job = registry.job("/job", OncePer.of(Duration.ofHours(1)));
        answer(() -> job.begin(LIMIT)).close();
    }

    @Test
    void functionsOfUsersThatBlockEndAtTheLimitOfTheRequest() throws Exception {
        ZooKeeperLockRegistry registry = registry(builder().policy(name -> {
            if (!interruptibly()) {
                throw new IllegalStateException("interrupted");
            }
            return LockPolicy.defaults();
        }));
        ClusterJob job = registry.job("/job", OncePer.of(Duration.ofHours(1)));

        assertThat(failure(() -> tries(registry.lock("/a"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Lock '/a' not acquired: its policy could not be determined: the function did not return"
                        + " within 1 s and was interrupted");
        assertThat(failure(() -> registry.lock("/a").acquireAsync(LIMIT).get()))
                .isInstanceOf(IllegalStateException.class);
        assertThat(failure(() -> job.begin(LIMIT))).hasMessageContaining("within 1 s");
        assertThat(failure(() -> job.beginAsync(LIMIT).get())).hasMessageContaining("within 1 s");
    }

    @Test
    void anAccessListProviderThatBlocksEndsAtTheLimitOfTheRequest() throws Exception {
        ZooKeeperLockRegistry registry = registry(builder().acl(new Lists()));
        registry.lock("/first").acquire(PATIENCE).close();

        assertThat(failure(() -> tries(registry.lock("/blocked/acl"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("within 1 s");
        mayGoOn.countDown();
        assertThat(answer(() -> tries(registry.lock("/blocked/acl")))).isTrue();
    }

    @Test
    void anAccessListProviderHoldsUpItsCallerAlone() throws Exception {
        ZooKeeperLockRegistry registry = registry(builder().acl(new Lists()));
        ClusterLock lock = registry.lock("/blocked/acl");
        Thread slow = new Thread(
                () -> lock.acquireAsync().thenAccept(LockHandle::close).join());
        slow.start();
        Awaitility.await().atMost(PATIENCE).until(() -> blocked.get() > 0);

        registry.lock("/quick").acquire(PATIENCE).close();

        assertThat(slow.isAlive()).isTrue();
        mayGoOn.countDown();
        slow.join();
    }

    @Test
    void closeDoesNotWaitForStagesOfItsEnd() {
        ZooKeeperLockRegistry registry = registry(builder());
        CompletableFuture<Void> stage =
                registry.terminated().thenRun(this::block).toCompletableFuture();

        answer(() -> {
            registry.close();
            return true;
        });

        Awaitility.await().atMost(PATIENCE).until(() -> blocked.get() == 1);
        assertThat(stage).isNotDone();
        assertThat(registry.terminated().toCompletableFuture()).isCompleted();
    }

    @Test
    void locksAcquiredTogetherAreReleasedBeforeTheStagesOfTheCallerRun() throws Exception {
        ZooKeeperLockRegistry registry = registry(builder());
        CompletableFuture<Handle> both =
                registry.allOf(registry.lock("/first"), registry.lock("/held")).acquireAsync();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> other.lock("/first").tryAcquire().isEmpty());
        CompletableFuture<Void> stage = both.handle((handle, failure) -> {
            block();
            return null;
        });
        Thread caller = new Thread(() -> both.cancel(true));
        caller.start();
        Awaitility.await().atMost(PATIENCE).until(() -> blocked.get() == 1);

        answer(() -> other.lock("/first").acquire(PATIENCE)).close();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> registry.inspector().awaited().isEmpty());
        assertThat(stage).isNotDone();
        mayGoOn.countDown();
        caller.join();
    }

    @Test
    void theEngineGoesOn() throws Exception {
        int listeners = 40;
        ZooKeeperLockRegistry.Builder options = builder();
        for (int listener = 0; listener < listeners; listener++) {
            options.listener(event -> block());
        }
        ZooKeeperLockRegistry registry = registry(options);
        EngineAccess engine = ZooKeeperCluster.engineOf(registry);
        registry.lock("/stats").acquire().close();
        Awaitility.await().atMost(PATIENCE).until(() -> blocked.get() == listeners);

        engine.run(asked -> bringTasks(engine));

        assertThat(engine.ask(Engine::isQuiet)).succeedsWithin(PATIENCE);
    }

    private void assertJobsAreAnswered(ZooKeeperLockRegistry registry) throws Exception {
        OncePer hour = OncePer.of(Duration.ofHours(1));
        ClusterJob job = registry.job("/jobs/sync", hour);
        LockHandle run = answer(() -> job.begin(LIMIT));
        assertThat(run.isHeld()).isTrue();
        run.close();
        assertThat(failure(() -> job.begin(LIMIT))).isInstanceOf(JobNotDueException.class);
        assertThat(failure(() -> registry.job("/held", hour).begin(LIMIT))).isInstanceOf(LockTimeoutException.class);
        ClusterJob async = registry.job("/jobs/async", hour);
        answer(() -> async.beginAsync(LIMIT).get()).close();
        assertThat(failure(() -> registry.job("/held", hour).beginAsync(LIMIT).get()))
                .isInstanceOf(LockTimeoutException.class);
        assertThat(answer(async::lastRun)).isPresent();
    }

    private void assertLeads(ZooKeeperLockRegistry registry) {
        Leadership leadership = registry.leadership("/led");
        CountDownLatch told = new CountDownLatch(1);
        leadership.addListener(new Leadership.Listener() {
            @Override
            public void started(LockName name, FencingToken token) {
                told.countDown();
            }

            @Override
            public void stopped(LockName name, FencingToken token, String reason) {}
        });
        leadership.start();
        assertThat(answer(() -> {
                    told.await();
                    return leadership.isLeader();
                }))
                .isTrue();
        answer(() -> {
            leadership.close();
            return true;
        });
    }

    private void assertLossIsReported(ZooKeeperLockRegistry registry) throws Exception {
        LockHandle limited = registry.lock("/limited").acquire(LATEST);
        CountDownLatch told = new CountDownLatch(1);
        limited.onLost(told::countDown);
        limited.loseAfter(Duration.ofMillis(10));
        answer(() -> {
            told.await();
            return true;
        });
    }

    /** Blocks stages, loss actions, listeners of a leadership, and callers in functions of users. */
    private void blockAll(ZooKeeperLockRegistry registry, int stages) throws Exception {
        ClusterLock reading = blockStages(registry, stages);
        LockHandle lossy = registry.lock("/lossy").acquire(PATIENCE);
        for (int i = 0; i < stages; i++) {
            lossy.onLost(this::block);
        }
        lossy.loseAfter(Duration.ofMillis(10));
        for (int i = 0; i < stages / 2; i++) {
            LockHandle handle = reading.acquire(PATIENCE);
            CompletableFuture<Void> unused =
                    handle.released().thenRun(this::block).toCompletableFuture();
            handle.close();
        }
        Leadership leadership = registry.leadership("/blocked-listener");
        leadership.addListener(new Leadership.Listener() {
            @Override
            public void started(LockName name, FencingToken token) {
                block();
            }

            @Override
            public void stopped(LockName name, FencingToken token, String reason) {
                block();
            }
        });
        leadership.start();
        ends.add(() -> {
            leadership.close();
            return leadership;
        });
        for (String name : List.of("/blocked/policy", "/blocked/acl")) {
            Thread caller = new Thread(() -> {
                ClusterLock lock = registry.lock(name);
                lock.lock();
                try {
                    assertThat(LockContext.current()).hasSize(1);
                } finally {
                    lock.unlock();
                }
            });
            caller.setDaemon(true);
            caller.start();
            ends.add(() -> {
                caller.join();
                return caller;
            });
        }
    }

    /** Blocks stages that begin at the same time. Returns the lock that they hold. */
    private ClusterLock blockStages(ZooKeeperLockRegistry registry, int stages) throws InterruptedException {
        ClusterLock reading = registry.readWriteLock("/stages").readLock();
        LockHandle writing = registry.readWriteLock("/stages").writeLock().acquire(PATIENCE);
        for (int i = 0; i < stages; i++) {
            CompletableFuture<Void> unused = reading.acquireAsync().thenAccept(handle -> {
                block();
                handle.close();
            });
        }
        writing.close();
        return reading;
    }

    private LockPolicy policy(LockName name) {
        if (name.value().equals("/blocked/policy")) {
            block();
        }
        return LockPolicy.defaults();
    }

    private void blockLog() {
        appender.setContext(log.getLoggerContext());
        appender.start();
        log.addAppender(appender);
        EngineLog.of(BlockedCallbacksTest.class).warn("This line blocks the log");
        Awaitility.await().atMost(PATIENCE).until(() -> blocked.get() > 0);
    }

    private ZooKeeperLockRegistry.Builder builder() {
        return ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .connectionTimeout(Duration.ofSeconds(3));
    }

    private ZooKeeperLockRegistry registry(ZooKeeperLockRegistry.Builder options) {
        ZooKeeperLockRegistry registry = options.build();
        open.add(registry);
        return registry;
    }

    /** Blocks until the test ends, whatever happens to the thread. */
    private void block() {
        blocked.incrementAndGet();
        boolean interrupted = false;
        while (mayGoOn.getCount() > 0) {
            interrupted |= !interruptibly();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Blocks until the test ends. Returns false if the thread is interrupted before. */
    private boolean interruptibly() {
        try {
            mayGoOn.await();
            return true;
        } catch (InterruptedException early) {
            return false;
        }
    }

    private static boolean tries(ClusterLock lock) throws InterruptedException {
        boolean acquired = lock.tryLock(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        if (acquired) {
            lock.unlock();
        }
        return acquired;
    }

    /** Returns the result of a call that has to be answered by {@link #LATEST}. */
    private static <T> T answer(Callable<T> call) {
        try {
            return begin(call).get(LATEST.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError("a call was not answered", failed);
        }
    }

    /** Returns the failure of a call that has to be answered by {@link #LATEST}. */
    private static Throwable failure(Callable<?> call) {
        FutureTask<?> task = begin(call);
        ExecutionException failed =
                catchThrowableOfType(ExecutionException.class, () -> task.get(LATEST.toSeconds(), TimeUnit.SECONDS));
        assertThat(failed).as("the failure of a call").isNotNull();
        Throwable cause = failed.getCause();
        return cause instanceof ExecutionException ? cause.getCause() : cause;
    }

    private static <T> FutureTask<T> begin(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread caller = new Thread(task, "caller");
        caller.setDaemon(true);
        caller.start();
        return task;
    }

    private static void bringTasks(EngineAccess engine) {
        for (int task = 0; task < TASKS; task++) {
            engine.run(asked -> {});
        }
    }

    /** Lists of a provider that blocks for some locks. */
    private final class Lists implements ACLProvider {
        @Override
        public List<ACL> getDefaultAcl() {
            return ZooDefs.Ids.OPEN_ACL_UNSAFE;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            if (path.contains("/blocked/acl")) {
                blocked.incrementAndGet();
                if (!interruptibly()) {
                    throw new IllegalStateException("interrupted");
                }
            }
            return getDefaultAcl();
        }
    }
}
