package io.github.zklock.zookeeper.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
            ThreadPoolExecutor pool = (ThreadPoolExecutor) valueOf(threads, "client");
            ThreadFactory factory = pool.getThreadFactory();
            pool.setThreadFactory(task -> {
                throw new InternalError("planted: no thread can be started");
            });

            threads.client().execute(ran::countDown);

            pool.setThreadFactory(factory);
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
        ThreadPoolExecutor pool = (ThreadPoolExecutor) valueOf(threads, "client");
        ThreadFactory factory = pool.getThreadFactory();
        pool.setThreadFactory(task -> {
            throw new InternalError("planted: no thread can be started");
        });
        threads.watch(() -> {}, () -> {}, System::nanoTime);
        threads.client().execute(ran::countDown);

        threads.shutDown();

        pool.setThreadFactory(factory);
        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
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
