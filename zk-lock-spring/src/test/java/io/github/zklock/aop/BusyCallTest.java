package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInterruptedException;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.config.TestApplication;
import io.github.zklock.fixture.Actor;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

/** Calls whose lock is busy, and calls during an outage. */
class BusyCallTest extends SynchronousCallTests {

    private static final String LOCK = "/busy";
    private static final AtomicInteger runs = new AtomicInteger();
    private static final AtomicReference<IOException> failure = new AtomicReference<>();

    abstract static class Base<T> {

        public static final List<Object> fellBackWith = new ArrayList<>();

        @SuppressWarnings("UnusedMethod") // called by its name
        private String instead(T order, int line, LockException busy) {
            fellBackWith.addAll(List.of(order, line, busy));
            return "instead";
        }
    }

    @Component
    static class Orders extends Base<String> {

        @DistributedLock(name = LOCK, waitTime = "0")
        public int throwing() {
            return runs.incrementAndGet();
        }

        @DistributedLock(name = LOCK, waitTime = "${busy.wait}")
        public int waiting() {
            return runs.incrementAndGet();
        }

        @DistributedLock(LOCK)
        public int waitingAsConfigured() {
            return runs.incrementAndGet();
        }

        @DistributedLock(name = LOCK, waitTime = "forever")
        public int waitingForever() {
            return runs.incrementAndGet();
        }

        @DistributedLock(name = LOCK, waitTime = "forever")
        public int waitingInterruptibly() throws InterruptedException {
            return runs.incrementAndGet();
        }

        @DistributedLock(name = LOCK, waitTime = "0", onBusy = OnBusy.SKIP)
        public void skipped() {
            runs.incrementAndGet();
        }

        @DistributedLock(name = LOCK, waitTime = "0", onBusy = OnBusy.SKIP)
        public boolean skippedBoolean() {
            return runs.incrementAndGet() > 0;
        }

        @DistributedLock(name = LOCK, waitTime = "0", onBusy = OnBusy.SKIP)
        public Boolean skippedBox() {
            return runs.incrementAndGet() > 0;
        }

        @DistributedLock(name = LOCK, waitTime = "0", onBusy = OnBusy.SKIP)
        public Optional<String> skippedOptional() {
            return Optional.of("ran" + runs.incrementAndGet());
        }

        @DistributedLock(name = LOCK, waitTime = "0", onBusy = OnBusy.SKIP)
        public @Nullable String skippedNullable() {
            return "ran" + runs.incrementAndGet();
        }

        @DistributedLock(name = LOCK, waitTime = "0", onBusy = OnBusy.SKIP)
        public Void skippedVoid() {
            throw new IllegalStateException("ran" + runs.incrementAndGet());
        }

        @DistributedLock(name = LOCK, waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public String fallingBack(String order, int line) {
            return "ran" + runs.incrementAndGet();
        }

        @DistributedLock(name = LOCK, waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "failing")
        public String fallingBackToFailure() throws IOException {
            return "ran" + runs.incrementAndGet();
        }

        @SuppressWarnings("UnusedMethod") // called by its name
        private String failing() throws IOException {
            failure.set(new IOException("of the fallback"));
            throw failure.get();
        }

        @DistributedLock(name = LOCK, waitTime = "0", kind = LockKind.READ)
        public int reading() {
            return runs.incrementAndGet();
        }

        @DistributedLock(name = LOCK, waitTime = "0", kind = LockKind.WRITE)
        public int writing() {
            return runs.incrementAndGet();
        }

        @DistributedLock(name = "/busy-permits", permits = 2, waitTime = "forever")
        public void permitted(CountDownLatch entered, CountDownLatch leave) throws InterruptedException {
            runs.incrementAndGet();
            entered.countDown();
            assertThat(leave.await(60, TimeUnit.SECONDS)).isTrue();
            runs.decrementAndGet();
        }

        @DistributedLock(name = "/busy-permits", permits = 2, waitTime = "0")
        public int permittedNow() {
            return runs.incrementAndGet();
        }

        @DistributedLock(name = "/busy-permit", kind = LockKind.PERMITS, waitTime = "0")
        public int permittedAlone() {
            return runs.incrementAndGet();
        }
    }

    @Configuration
    static class Quick {

        @Bean
        CallDefaults quick() {
            return new CallDefaults() {
                @Override
                public Defaults of(LockName name) {
                    return name.value().equals(LOCK)
                            ? new Defaults(new WaitTime(Duration.ZERO), OnBusy.THROW, OnLost.THROW_AFTER)
                            : general();
                }

                @Override
                public Defaults general() {
                    return new Defaults(WaitTime.FOREVER, OnBusy.THROW, OnLost.THROW_AFTER);
                }
            };
        }
    }

    @BeforeAll
    static void startApplication() {
        start(Map.of("busy.wait", "1s"), Orders.class, Quick.class);
    }

    @BeforeEach
    void forget() {
        runs.set(0);
        Base.fellBackWith.clear();
    }

    private final Orders orders = bean(Orders.class);

    @Test
    void busyIsATimeoutAndTheMethodDoesNotRun() throws InterruptedException {
        try (LockHandle theirs = heldByOthers(LOCK)) {
            assertThatThrownBy(orders::throwing).isInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(orders::waiting).isInstanceOf(LockTimeoutException.class);
            assertThatThrownBy(orders::waitingAsConfigured).isInstanceOf(LockTimeoutException.class);
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void skippedCallsReturnWhatSaysSo() throws InterruptedException {
        LockHandle theirs = heldByOthers(LOCK);
        try (theirs) {
            orders.skipped();

            assertThat(orders.skippedBoolean()).isFalse();
            assertThat(orders.skippedBox()).isFalse();
            assertThat(orders.skippedOptional()).isEmpty();
            assertThat(orders.skippedNullable()).isNull();
            assertThat(orders.skippedVoid()).isNull();
        }
        Actor.join(theirs.released().toCompletableFuture());
        assertThat(runs).hasValue(0);
        assertThat(orders.skippedBoolean()).isTrue();
    }

    @Test
    void theFallbackGetsTheArgumentsAndTheReason() throws InterruptedException {
        LockHandle theirs = heldByOthers(LOCK);
        try (theirs) {
            assertThat(orders.fallingBack("o1", 7)).isEqualTo("instead");
        }
        Actor.join(theirs.released().toCompletableFuture());
        assertThat(Base.fellBackWith).hasSize(3).startsWith("o1", 7).last().isInstanceOf(LockTimeoutException.class);
        assertThat(runs).hasValue(0);
        assertThat(orders.fallingBack("o1", 7)).isEqualTo("ran1");
    }

    @Test
    void theFallbacksOwnExceptionGetsOutUnchanged() throws InterruptedException {
        try (LockHandle theirs = heldByOthers(LOCK)) {
            assertThatThrownBy(orders::fallingBackToFailure)
                    .isInstanceOf(IOException.class)
                    .satisfies(thrown -> assertThat(thrown).isSameAs(failure.get()));
        }
    }

    @Test
    void readersShareAndWritersDoNot() throws InterruptedException {
        try (LockHandle theirs = others().readWriteLock(LOCK).readLock().acquire(PATIENCE)) {
            assertThat(orders.reading()).isEqualTo(1);
            assertThatThrownBy(orders::writing).isInstanceOf(LockTimeoutException.class);
        }
        try (LockHandle theirs = others().readWriteLock(LOCK).writeLock().acquire(PATIENCE)) {
            assertThatThrownBy(orders::reading).isInstanceOf(LockTimeoutException.class);
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void aSemaphoreOfOnePermitIsNoExclusiveLock() throws InterruptedException {
        assertThat(orders.permittedAlone()).isOne();

        // of two numbers, the smaller one counts; an exclusive lock would be a mismatch
        try (LockHandle theirs = others().semaphore("/busy-permit", 2).acquire(PATIENCE)) {
            assertThatThrownBy(orders::permittedAlone).isInstanceOf(LockTimeoutException.class);
            assertThat(theirs.isHeld()).isTrue();
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void noMoreCallsRunThanThereArePermitsInTheCluster() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        try (Actor actor = new Actor("permitted");
                LockHandle theirs = others().semaphore("/busy-permits", 2).acquire(PATIENCE)) {
            Future<?> ours = actor.startAct(() -> orders.permitted(entered, leave));
            assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(orders::permittedNow).isInstanceOf(LockTimeoutException.class);
            assertThat(runs).hasValue(1);

            leave.countDown();
            Actor.join(ours);
        }
    }

    @Test
    void aWaitEndsWithTheHoldOfTheOther() throws InterruptedException {
        LockHandle theirs = heldByOthers(LOCK);
        try (Actor actor = new Actor("waiting")) {
            Future<Integer> waiting = actor.start(orders::waitingForever);
            actor.awaitParked();
            theirs.close();

            assertThat(Actor.join(waiting)).isEqualTo(1);
        }
    }

    @Test
    void anInterruptedWaitSaysSoWhereTheMethodCannot() throws InterruptedException {
        try (LockHandle theirs = heldByOthers(LOCK);
                Actor actor = new Actor("interrupted")) {
            Future<Boolean> flagged = actor.start(() -> {
                assertThatThrownBy(orders::waitingForever)
                        .isInstanceOf(LockInterruptedException.class)
                        .hasMessageContaining("'/busy' not acquired")
                        .hasMessageContaining("did not run");
                return Thread.interrupted();
            });
            actor.awaitParked();
            actor.interrupt();

            assertThat(Actor.join(flagged)).isTrue();
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void anInterruptedWaitIsAnInterruptedExceptionWhereTheMethodDeclaresIt() throws InterruptedException {
        try (LockHandle theirs = heldByOthers(LOCK);
                Actor actor = new Actor("interrupted")) {
            Future<Boolean> flagged = actor.start(() -> {
                assertThatThrownBy(orders::waitingInterruptibly).isInstanceOf(InterruptedException.class);
                return Thread.interrupted();
            });
            actor.awaitParked();
            actor.interrupt();

            assertThat(Actor.join(flagged)).isFalse();
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void anOutageIsNeverBusy() {
        ZooKeeperLockRegistry unreachable = ZooKeeperLockRegistry.builder()
                .connectString("127.0.0.1:1")
                .connectionTimeout(Duration.ofMillis(50))
                .closeOnExit(false)
                .build();
        TestApplication.withoutRegistry()
                .withBean(LockRegistry.class, () -> unreachable)
                .withBeans(Orders.class)
                .withProperties(Map.of("busy.wait", "1s"))
                .run(context -> {
                    Orders lonely = context.getBean(Orders.class);

                    assertThatThrownBy(lonely::throwing).isInstanceOf(LockUnavailableException.class);
                    assertThatThrownBy(lonely::skipped).isInstanceOf(LockUnavailableException.class);
                    assertThatThrownBy(() -> lonely.fallingBack("o1", 7)).isInstanceOf(LockUnavailableException.class);
                });
        assertThat(runs).hasValue(0);
        assertThat(Base.fellBackWith).isEmpty();
    }

    @Test
    void nothingRunsOnceTheRegistryIsClosed() {
        TestApplication.of(Orders.class)
                .withProperties(Map.of("busy.wait", "1s"))
                .run(context -> {
                    ((ZooKeeperLockRegistry) context.getBean(LockRegistry.class)).close();

                    assertThatThrownBy(context.getBean(Orders.class)::skipped)
                            .isInstanceOf(LockRegistryClosedException.class);
                });
        assertThat(runs).hasValue(0);
    }

    @Test
    void aSkippedCallIsLoggedAtDebug() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("io.github.zklock.aop");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.DEBUG);
        try (LockHandle held = heldByOthers(LOCK)) {
            orders.skipped();

            assertThat(held.isHeld()).isTrue();
            assertThat(log.list).singleElement().satisfies(event -> {
                assertThat(event.getLevel()).isEqualTo(Level.DEBUG);
                assertThat(event.getFormattedMessage()).contains("Orders.skipped", "is skipped", LOCK);
            });
        } finally {
            logger.setLevel(null);
            logger.detachAppender(log);
        }
    }
}
