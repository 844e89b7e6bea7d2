package io.github.zklock.zookeeper.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopTest {

    private final ConcurrentLinkedQueue<Runnable> relief = new ConcurrentLinkedQueue<>();
    private final List<Throwable> rescues = new ArrayList<>();
    private final Loop loop = new Loop(relief::add, (failed, error) -> rescues.add(error));

    @Test
    void runsATaskAtOnceOnTheThreadThatBringsIt() {
        List<Thread> ran = new ArrayList<>();

        loop.execute(() -> ran.add(Thread.currentThread()));

        assertThat(ran).containsExactly(Thread.currentThread());
    }

    @Test
    void aTaskBroughtByATaskRunsAfterIt() {
        List<String> order = new ArrayList<>();

        loop.execute(() -> {
            loop.execute(() -> order.add("second"));
            order.add("first");
        });

        assertThat(order).containsExactly("first", "second");
    }

    @Test
    void aTaskThatFailsDoesNotStopTheNext() {
        List<String> order = new ArrayList<>();

        loop.execute(() -> {
            loop.execute(() -> {
                assertThat(rescues).hasSize(1);
                order.add("next");
            });
            throw new OutOfMemoryError("planted");
        });

        assertThat(order).containsExactly("next");
        assertThat(rescues).singleElement().isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void noTaskRunsUntilTheRescueHasSucceeded() {
        List<String> order = new ArrayList<>();
        AtomicInteger attempts = new AtomicInteger();
        Loop unlucky = new Loop(relief::add, (failed, error) -> {
            if (attempts.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("again");
            }
            order.add("rescued from " + error.getMessage());
        });

        unlucky.execute(() -> {
            throw new OutOfMemoryError("planted");
        });
        unlucky.execute(() -> order.add("next"));
        assertThat(order).isEmpty();
        unlucky.check();

        assertThat(order).containsExactly("rescued from planted", "next");
    }

    @Test
    void answersAndRequestsOfCallersTakeTurns() {
        List<String> order = new ArrayList<>();

        loop.execute(() -> {
            for (int i = 0; i < 3; i++) {
                loop.execute(() -> order.add("request"));
            }
            for (int i = 0; i < 200; i++) {
                loop.lanes().answer(() -> order.add("answer"));
            }
        });

        assertThat(order).hasSize(203);
        assertThat(order.subList(0, 5)).as("the first answers and a request").containsOnlyOnce("request");
        assertThat(order.subList(5, 10)).as("the next ones").containsOnlyOnce("request");
    }

    @Test
    void callersThatAskWithoutAPausePileUpLittle() throws Exception {
        int callers = 4;
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(callers + 1);
        Loop paced = new Loop(pool, (failed, error) -> rescues.add(error));
        try {
            List<Callable<Void>> storm = Collections.nCopies(callers, () -> {
                for (int i = 0; i < 20_000; i++) {
                    paced.pace();
                    most.accumulateAndGet(open.incrementAndGet(), Math::max);
                    paced.execute(() -> {
                        open.decrementAndGet();
                        LockSupport.parkNanos(1);
                    });
                }
                return null;
            });
            for (Future<Void> each : pool.invokeAll(storm)) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdown();
        }

        assertThat(most.get()).isLessThan(500);
        assertThat(rescues).isEmpty();
    }

    @Test
    void aCallerGoesOnThoughTheLoopDoesNot() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread busy = new Thread(() -> loop.execute(() -> {
            began.countDown();
            awaitQuietly(goOn);
        }));
        busy.start();
        began.await();
        for (int i = 0; i < 5_000; i++) {
            loop.execute(() -> {});
        }
        Thread.currentThread().interrupt();

        loop.pace();

        assertThat(Thread.interrupted()).isTrue();
        goOn.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void noCallerPaysForMoreThanSomeTasksOfOthers() {
        List<Integer> ran = new ArrayList<>();

        loop.execute(() -> {
            for (int i = 0; i < 1000; i++) {
                int number = i;
                loop.execute(() -> ran.add(number));
            }
        });

        assertThat(ran).hasSizeLessThan(300);
        while (!relief.isEmpty()) {
            relief.remove().run();
        }
        assertThat(ran).hasSize(1000).isSorted();
    }

    /** A pool that cannot start a thread throws, and may keep the task or have run it all the same. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHandOverThatFailsAlthoughItRunsMakesNoSecondOwner(boolean atOnce) {
        List<Integer> ran = new ArrayList<>();
        List<Runnable> kept = new ArrayList<>();
        Loop unlucky = new Loop(
                task -> {
                    if (atOnce) {
                        task.run();
                    }
                    kept.add(task);
                    throw new InternalError("planted: no thread can be started");
                },
                (failed, error) -> rescues.add(error));

        unlucky.execute(() -> {
            for (int i = 0; i < 1000; i++) {
                int number = i;
                unlucky.execute(() -> {
                    ran.add(number);
                    // a second owner would run the next task before this one has returned
                    List.copyOf(kept).forEach(Runnable::run);
                    assertThat(ran).last().isEqualTo(number);
                });
            }
        });

        assertThat(kept).isNotEmpty();
        assertThat(ran).hasSize(1000).isSorted();
        assertThat(rescues).isEmpty();
    }

    @Test
    void theTickGoesFirstThenAnswersThenCallers() {
        List<String> ran = new ArrayList<>();

        loop.execute(() -> {
            loop.execute(() -> ran.add("caller"));
            loop.lanes().alarm(() -> ran.add("deadline"), false);
            loop.lanes().answer(() -> ran.add("answer"));
            loop.lanes().alarm(() -> ran.add("tick"), true);
            assertThat(loop.isBehind()).isTrue();
        });

        assertThat(ran).containsExactly("tick", "answer", "caller", "deadline");
        assertThat(loop.isBehind()).isFalse();
    }

    @Test
    void callersHaveTheirTurnHoweverManyAnswersWait() {
        List<String> ran = new ArrayList<>();

        loop.execute(() -> {
            loop.execute(() -> ran.add("caller"));
            for (int i = 0; i < 100; i++) {
                loop.lanes().answer(() -> ran.add("answer"));
            }
        });

        assertThat(ran).hasSize(101);
        assertThat(ran.indexOf("caller")).isEqualTo(4);
    }

    @Test
    void anAlarmDoesNotRunOnTheThreadOfTheTimerUnlessNoOtherCanBeHad() {
        List<String> ran = new ArrayList<>();

        loop.lanes().alarm(() -> ran.add("deadline"), false);
        assertThat(ran).isEmpty();
        relief.remove().run();
        assertThat(ran).containsExactly("deadline");

        Loop alone = new Loop(
                task -> {
                    throw new OutOfMemoryError("no thread");
                },
                (failed, error) -> {});
        alone.lanes().alarm(() -> ran.add("another"), false);
        assertThat(ran).containsExactly("deadline", "another");
    }

    /** Two threads that meet again and again: a lost alarm would wait for the next task. */
    @ParameterizedTest
    @ValueSource(strings = {"tick", "deadline", "answer"})
    void nothingThatComesAsTheLoopBecomesIdleIsLeftWaiting(String lane) throws Exception {
        Loop idle = new Loop(Runnable::run, (failed, error) -> rescues.add(error));
        AtomicInteger round = new AtomicInteger();
        AtomicInteger brought = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        int rounds = 100_000;
        Thread other = new Thread(() -> {
            for (int i = 1; i <= rounds; i++) {
                spinUntil(round, i);
                switch (lane) {
                    case "tick" -> idle.lanes().alarm(ran::incrementAndGet, true);
                    case "deadline" -> idle.lanes().alarm(ran::incrementAndGet, false);
                    default -> idle.lanes().answer(ran::incrementAndGet);
                }
                brought.set(i);
            }
        });
        other.setDaemon(true);
        other.start();

        for (int i = 1; i <= rounds; i++) {
            round.set(i);
            idle.execute(() -> {});
            spinUntil(brought, i);
            // only these two threads run tasks of the loop, and both have returned from it
            assertThat(ran).as("round %d", i).hasValue(i);
        }
        assertThat(rescues).isEmpty();
    }

    private static void spinUntil(AtomicInteger number, int wanted) {
        for (int spins = 0; number.get() < wanted; spins++) {
            if (spins > 1_000) {
                LockSupport.parkNanos(1);
            }
        }
    }

    @Test
    void manyThreadsRunTheirTasksOneAtATimeAndSeeWhatTheOneBeforeWrote() throws InterruptedException {
        int threads = 8;
        int each = 20_000;
        long[] unguarded = new long[1];
        CountDownLatch done = new CountDownLatch(threads * each);
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        ExecutorService relieving = Executors.newSingleThreadExecutor();
        Loop shared = new Loop(relieving, (failed, error) -> {});

        for (int i = 0; i < threads; i++) {
            callers.execute(() -> {
                for (int k = 0; k < each; k++) {
                    shared.execute(() -> {
                        unguarded[0]++;
                        done.countDown();
                    });
                }
            });
        }

        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(unguarded[0]).isEqualTo((long) threads * each);
        callers.shutdownNow();
        relieving.shutdownNow();
    }
}
