package io.github.zklock.zookeeper.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.fixture.Leftovers;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadsTest {

    private record Seen(
            @Nullable ClassLoader loader,
            int priority,
            @Nullable String inherited) {}

    @ParameterizedTest
    @ValueSource(strings = {"callbacks", "losses"})
    void blockedThreadsAreReplacedAlthoughTheirGrowthThreadCouldNotBeStarted(String role) throws Exception {
        Threads threads = new Threads("growing");
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(1);
        try {
            UserThreads users = (UserThreads) valueOf(threads, role);
            // as after a growth thread that has ended without a trace
            ((AtomicBoolean) valueOf(users, "growing")).set(true);
            for (int i = 0; i < UserThreads.BASE; i++) {
                users.execute(() -> awaitEnd(end));
            }
            users.execute(ran::countDown);

            threads.watch(() -> {}, () -> {}, System::nanoTime);

            assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            end.countDown();
            threads.shutDown();
        }
    }

    /** Otherwise the Error would cost the engine, with all of its locks. */
    @Test
    void aTaskForTheClientWaitsUntilAThreadCanBeStarted() throws Exception {
        Threads threads = new Threads("short of threads");
        CountDownLatch ran = new CountDownLatch(1);
        try {
            Runnable recover = withoutThreads(threads, "client");

            threads.client().execute(ran::countDown);

            recover.run();
            threads.watch(() -> {}, () -> {}, System::nanoTime);
            assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            threads.shutDown();
        }
    }

    @Test
    void aTaskForTheClientIsStartedAlsoAfterTheEnd() throws Exception {
        Threads threads = new Threads("short of threads at the end");
        CountDownLatch ran = new CountDownLatch(1);
        Runnable recover = withoutThreads(threads, "client");
        threads.watch(() -> {}, () -> {}, System::nanoTime);
        threads.client().execute(ran::countDown);

        threads.shutDown();

        recover.run();
        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** The pool keeps the step, and another one starts the thread for it before the next attempt. */
    @Test
    void aStepRunsOnceAlthoughItsThreadCouldNotBeStarted() throws Exception {
        Threads threads = new Threads("short of threads for steps");
        AtomicInteger runs = new AtomicInteger();
        try {
            Runnable recover = withoutThreads(threads, "steps");
            threads.steps().execute(runs::incrementAndGet);
            recover.run();
            runStep(threads);
            assertThat(runs).hasValue(1);

            threads.watch(() -> {}, () -> {}, System::nanoTime);

            Queue<?> late = (Queue<?>) valueOf(threads, "late");
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(late::isEmpty);
            runStep(threads);
            assertThat(runs).hasValue(1);
        } finally {
            threads.shutDown();
        }
    }

    @Test
    void aStepForWhichNoThreadCouldBeStartedRunsLater() throws Exception {
        Threads threads = new Threads("short of threads for a step");
        CountDownLatch ran = new CountDownLatch(1);
        try {
            Runnable recover = withoutThreads(threads, "steps");
            threads.steps().after(1, ran::countDown);
            recover.run();

            threads.watch(() -> {}, () -> {}, System::nanoTime);

            assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            threads.shutDown();
        }
    }

    private static void runStep(Threads threads) throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        threads.steps().execute(ran::countDown);
        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aStepIsScheduledOnceHoweverLongNoThreadCanBeStarted() throws Exception {
        Threads threads = new Threads("long short of threads");
        ThreadPoolExecutor pool = (ThreadPoolExecutor) valueOf(threads, "steps");
        ThreadFactory factory = pool.getThreadFactory();
        AtomicInteger attempts = new AtomicInteger();
        pool.setThreadFactory(task -> {
            attempts.incrementAndGet();
            throw new InternalError("planted: no thread can be started");
        });
        threads.watch(() -> {}, () -> {}, System::nanoTime);

        Runnable cancel = threads.steps().after(TimeUnit.HOURS.toNanos(1), () -> {});

        try {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> attempts.get() > 3);
            assertThat(pool.getQueue()).hasSize(1);
        } finally {
            pool.setThreadFactory(factory);
            cancel.run();
            threads.shutDown();
        }
        Leftovers.assertNoThreads();
    }

    @Test
    void aTaskRunsOnItsCallerIfNoThreadCanBeStartedAfterTheLastThreadHasEnded() throws Exception {
        Threads threads = new Threads("ended");
        threads.watch(() -> {}, () -> {}, System::nanoTime);
        Thread watcher = (Thread) valueOf(threads, "watcher");
        threads.shutDown();
        watcher.join();
        withoutThreads(threads, "steps");
        List<Thread> ran = new ArrayList<>();

        threads.steps().execute(() -> ran.add(Thread.currentThread()));

        assertThat(ran).containsExactly(Thread.currentThread());
    }

    @Test
    void aStepThatIsCancelledBeforeItsThreadCanBeStartedDoesNotRun() throws Exception {
        Threads threads = new Threads("short of threads for cancelled steps");
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch next = new CountDownLatch(1);
        try {
            Runnable recover = withoutThreads(threads, "steps");

            threads.steps()
                    .after(TimeUnit.HOURS.toNanos(1), runs::incrementAndGet)
                    .run();

            recover.run();
            threads.watch(() -> {}, () -> {}, System::nanoTime);
            Queue<?> late = (Queue<?>) valueOf(threads, "late");
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(late::isEmpty);
            threads.steps().after(TimeUnit.MILLISECONDS.toNanos(10), next::countDown);
            assertThat(next.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(runs).hasValue(0);
            assertThat(((ThreadPoolExecutor) valueOf(threads, "steps")).getQueue())
                    .isEmpty();
        } finally {
            threads.shutDown();
        }
    }

    /** @return ends the lack of threads */
    private static Runnable withoutThreads(Threads threads, String role) throws ReflectiveOperationException {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) valueOf(threads, role);
        ThreadFactory factory = pool.getThreadFactory();
        pool.setThreadFactory(task -> {
            throw new InternalError("planted: no thread can be started");
        });
        return () -> pool.setThreadFactory(factory);
    }

    private static Object valueOf(Object owner, String field) throws ReflectiveOperationException {
        Field known = owner.getClass().getDeclaredField(field);
        known.setAccessible(true);
        return known.get(owner);
    }

    private static void awaitEnd(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // what must not be inherited has to be set
    void poolThreadsTakeNothingFromTheCallerWhoMakesThem() throws Exception {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        CompletableFuture<Seen> seen = new CompletableFuture<>();
        Threads threads = new Threads("plain");
        try (URLClassLoader ofCaller = new URLClassLoader(new URL[0])) {
            Thread caller = new Thread(() -> {
                local.set("of the caller");
                threads.callbacks()
                        .execute(() -> seen.complete(new Seen(
                                Thread.currentThread().getContextClassLoader(),
                                Thread.currentThread().getPriority(),
                                local.get())));
            });
            caller.setContextClassLoader(ofCaller);
            caller.setPriority(Thread.MAX_PRIORITY);
            caller.start();

            assertThat(seen.get()).isEqualTo(new Seen(Threads.class.getClassLoader(), Thread.NORM_PRIORITY, null));
            caller.join();
        } finally {
            threads.shutDown();
        }
    }
}
