package io.github.zklock.zookeeper.internal.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.Registration;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A candidate on a lock whose proof, grants and failures the test decides. */
class CandidateTest {

    private final Semaphore grants = new Semaphore(0);
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    private volatile Supplier<Error> failure = () -> null;
    private volatile boolean held = true;
    private volatile LockState state = LockState.HELD;

    private final Candidate candidate =
            new Candidate(fake(ClusterLock.class, Map.of("name", () -> LockName.of("/candidate"), "acquire", () -> {
                requests.incrementAndGet();
                grants.acquire();
                Error thrown = failure.get();
                if (thrown != null) {
                    throw thrown;
                }
                return handle();
            })));

    @AfterEach
    void close() {
        candidate.close();
    }

    @Test
    void isNoLeaderWithoutProof() {
        lead();

        held = false;

        assertThat(candidate.isLeader()).isFalse();
        assertThat(candidate.token()).isEmpty();
        held = true;
        assertThat(candidate.isLeader()).isTrue();
        assertThat(candidate.token()).isPresent();
    }

    @Test
    void isNoCandidateDuringItsPause() {
        lead();

        candidate.stepDown(Duration.ofHours(1));

        await(() -> released.get() == 1);
        assertThat(candidate.isLeader()).isFalse();
        assertThat(requests).hasValue(1);
    }

    @Test
    void isNoCandidateDuringThePauseAfterAFailure() {
        candidate.runWhileLeader(token -> {
            throw new IllegalStateException("a failure of the task");
        });
        grants.release(2);
        candidate.start();

        await(() -> released.get() == 1);
        assertThat(requests).hasValue(1);
        await(() -> requests.get() == 2);
    }

    @Test
    void startsOnce() {
        candidate.start();
        candidate.start();
        lead();

        assertThat(requests).hasValue(1);
    }

    @Test
    void survivesErrorsOfItsRequest() {
        AtomicInteger errors = new AtomicInteger();
        failure = () -> errors.incrementAndGet() == 1 ? new OutOfMemoryError("planted by the test") : null;
        grants.release(2);

        candidate.start();

        await(candidate::isLeader);
        assertThat(requests).hasValue(2);
    }

    @Test
    void releasesALockThatIsGrantedWhileItCloses() {
        candidate.start();
        await(() -> requests.get() == 1);
        failure = () -> {
            // on the thread of the candidate, after the wait
            Thread closing = new Thread(candidate::close);
            closing.start();
            Awaitility.await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
            Thread.interrupted();
            return null;
        };

        grants.release();

        await(() -> released.get() == 1);
        assertThat(candidate.isLeader()).isFalse();
        assertThat(requests).hasValue(1);
    }

    @Test
    void noticesALossWhoseReportWasLost() {
        lead();

        state = LockState.LOST;
        held = false;

        await(() -> released.get() == 1);
        await(() -> requests.get() == 2);
    }

    @Test
    void holdsTheLockUntilTheTaskHasEndedWhateverItsListenersThrow() {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        candidate.runWhileLeader(token -> {
            begun.countDown();
            awaitIgnoringInterrupts(end);
        });
        lead();
        await(() -> begun.getCount() == 0);

        candidate.stepDown(Duration.ofHours(1));

        // longer than the time after which the task is reported
        Awaitility.await()
                .during(Duration.ofSeconds(11))
                .atMost(Duration.ofMinutes(1))
                .until(() -> released.get() == 0);
        end.countDown();
        await(() -> released.get() == 1);
    }

    @Test
    void aTaskSeesTheClassesOfItsApplication() throws Exception {
        CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
        candidate.runWhileLeader(token -> seen.complete(Thread.currentThread().getContextClassLoader()));
        Thread starting = Thread.currentThread();
        ClassLoader own = starting.getContextClassLoader();
        try (URLClassLoader another = new URLClassLoader(new URL[0], own)) {
            starting.setContextClassLoader(another);
            lead();
        } finally {
            starting.setContextClassLoader(own);
        }

        assertThat(seen.get()).isSameAs(CandidateTest.class.getClassLoader());
    }

    @Test
    void aTaskThatIsRegisteredWithoutProofRuns() {
        AtomicInteger runs = new AtomicInteger();
        lead();
        held = false;

        candidate.runWhileLeader(token -> runs.incrementAndGet());

        await(() -> runs.get() == 1);
    }

    @Test
    void aTaskThatIsRegisteredAfterTheEndOfATermWaitsForTheNext() {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        candidate.runWhileLeader(token -> awaitIgnoringInterrupts(end));
        lead();
        candidate.stepDown(Duration.ZERO);
        assertThat(released).hasValue(0);

        candidate.runWhileLeader(token -> runs.incrementAndGet());
        end.countDown();
        await(() -> released.get() == 1);

        assertThat(runs).hasValue(0);
        grants.release();
        await(() -> runs.get() == 1);
    }

    @Test
    void aTaskThatFailsAfterItsRegistrationWasClosedEndsNoTerm() {
        CountDownLatch failed = new CountDownLatch(1);
        lead();
        Registration registration = candidate.runWhileLeader(token -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                failed.countDown();
            }
        });

        registration.close();

        await(() -> failed.getCount() == 0);
        await(() -> tasks() == 0);
        assertThat(candidate.isLeader()).isTrue();
    }

    @Test
    void anInterruptEndsNeitherTheTermNorThePause() {
        lead();
        threads("zk-lock-leader-/candidate").forEach(Thread::interrupt);
        assertThat(candidate.isLeader()).isTrue();
        candidate.stepDown(Duration.ofHours(1));
        await(() -> released.get() == 1);

        threads("zk-lock-leader-/candidate").forEach(Thread::interrupt);

        await(() -> threads("zk-lock-leader-/candidate").stream().noneMatch(Thread::isInterrupted));
        assertThat(requests).hasValue(1);
    }

    @Test
    void aListenerThatFailsDoesNotKeepTheNextOneFromItsCall() {
        AtomicInteger calls = new AtomicInteger();
        candidate.addListener(new Leadership.Listener() {
            @Override
            public void started(LockName name, FencingToken token) {
                throw new IllegalStateException("a failure of the listener");
            }
        });
        candidate.addListener(new Leadership.Listener() {
            @Override
            public void started(LockName name, FencingToken token) {
                calls.incrementAndGet();
            }
        });

        lead();

        await(() -> calls.get() == 1);
    }

    private static int tasks() {
        return threads("zk-lock-leader-/candidate-task").size();
    }

    private static List<Thread> threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .toList();
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        boolean ended = false;
        while (!ended) {
            try {
                latch.await();
                ended = true;
            } catch (InterruptedException ignored) {
                // works on
            }
        }
    }

    private void lead() {
        grants.release();
        candidate.start();
        await(candidate::isLeader);
    }

    private LockHandle handle() {
        return fake(
                LockHandle.class,
                Map.of(
                        "isHeld",
                        () -> held,
                        "state",
                        () -> state,
                        "fencingToken",
                        () -> new FencingToken(requests.get()),
                        "onLost",
                        () -> (Registration) () -> {},
                        "close",
                        () -> {
                            released.incrementAndGet();
                            state = LockState.HELD;
                            return null;
                        }));
    }

    interface Answer {
        Object get() throws Exception;
    }

    /** Returns an object whose methods have these answers; the others return null. */
    static <T> T fake(Class<T> type, Map<String, Answer> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        answers.getOrDefault(method.getName(), () -> null).get()));
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition);
    }
}
