package io.github.zklock.zookeeper.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserThreadsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int BASE = 4;
    private static final int MOST = 2_000;

    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    /** The number of threads for code of users that have begun and not ended. */
    private final AtomicInteger alive = new AtomicInteger();

    private final UserThreads threads = threads(MOST);

    private UserThreads threads(int most) {
        ThreadFactory daemons = task -> Threads.plain(task, "user-threads-test");
        return new UserThreads(BASE, most, task -> daemons.newThread(() -> runCounted(task)), daemons);
    }

    private void runCounted(Runnable task) {
        alive.incrementAndGet();
        try {
            task.run();
        } finally {
            alive.decrementAndGet();
        }
    }

    @AfterEach
    void endAll() {
        mayGoOn.countDown();
        threads.shutdown();
    }

    @ParameterizedTest
    @ValueSource(ints = {BASE, 2 * BASE, 1_000})
    void aTaskDoesNotWaitForTasksThatBlock(int blocked) throws Exception {
        block(threads, blocked);

        assertRuns(threads);
    }

    @Test
    void aTaskDoesNotWaitForTasksThatUseTheProcessorForEver() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        for (int i = 0; i < 2 * BASE; i++) {
            threads.execute(() -> {
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
        }

        assertRuns(threads);
        over.set(true);
    }

    @Test
    void aBurstOfShortTasksStartsNoFurtherThreads() throws Exception {
        int tasks = 100_000;
        CountDownLatch ran = new CountDownLatch(tasks);
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < tasks; i++) {
            threads.execute(() -> {
                most.accumulateAndGet(alive.get(), Math::max);
                ran.countDown();
            });
        }

        assertThat(ran.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        // a thread that gets no processor for long may be taken for a blocked one
        assertThat(most.get()).isLessThanOrEqualTo(8 * BASE);
    }

    @Test
    void atTheLimitItSaysSoUntilAThreadIsFree() throws Exception {
        UserThreads few = threads(2 * BASE);
        try {
            block(few, 2 * BASE);
            CountDownLatch ran = new CountDownLatch(1);
            few.execute(ran::countDown);

            Awaitility.await().atMost(PATIENCE).until(few::isExhausted);
            assertThat(alive.get()).isEqualTo(2 * BASE);
            assertThat(ran.getCount()).isOne();

            mayGoOn.countDown();
            assertThat(ran.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            Awaitility.await().atMost(PATIENCE).until(() -> !few.isExhausted());
        } finally {
            mayGoOn.countDown();
            few.shutdown();
        }
    }

    @Test
    void tasksThatWaitAtTheShutdownRun() throws Exception {
        block(threads, 10 * BASE);
        List<CountDownLatch> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            all.add(ran);
            threads.execute(ran::countDown);
        }
        threads.shutdown();
        CountDownLatch late = new CountDownLatch(1);
        all.add(late);
        threads.execute(late::countDown);

        for (CountDownLatch ran : all) {
            assertThat(ran.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void furtherThreadsAreNotNeededAfterTheBlockedTasks() throws Exception {
        block(threads, 50);
        assertRuns(threads);

        mayGoOn.countDown();

        Awaitility.await().atMost(PATIENCE).until(() -> !threads.grow());
    }

    @Test
    void aTaskRunsAlthoughThereIsNoMemoryToListIt() throws Exception {
        Field running = UserThreads.class.getDeclaredField("running");
        running.setAccessible(true);
        running.set(threads, new CopyOnWriteArraySet<>() {
            @Override
            public boolean add(Object task) {
                throw new OutOfMemoryError("planted by the test");
            }
        });

        assertRuns(threads);
    }

    /** Returns when this number of tasks block. */
    private void block(UserThreads blocked, int tasks) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(tasks);
        for (int i = 0; i < tasks; i++) {
            blocked.execute(() -> {
                begun.countDown();
                awaitEnd();
            });
        }
        assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private void awaitEnd() {
        try {
            mayGoOn.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void assertRuns(UserThreads threads) throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        threads.execute(ran::countDown);
        assertThat(ran.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
}
