package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.FencingToken;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.Registration;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.contract.ClusterFixture.Options;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a {@link LockHandle} promises. */
public abstract class HandleContract extends Contract {

    @Test
    void acquiredHandleIsHeld() throws Exception {
        try (LockHandle handle = lock().acquire()) {

            assertThat(handle.name().value()).isEqualTo(name());
            assertThat(handle.state()).isEqualTo(LockState.HELD);
            assertThat(handle.isHeld()).isTrue();
            assertThat(handle.remaining()).isPositive();
            assertThatCode(handle::ensureHeld).doesNotThrowAnyException();
        }
    }

    @Test
    void closedHandleIsReleased() throws Exception {
        LockHandle handle = lock().acquire();

        handle.close();

        assertThat(handle.state()).isEqualTo(LockState.RELEASED);
        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.remaining()).isZero();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::ensureHeld)
                .withMessageContaining(name())
                .withMessageContaining("closed");
    }

    @Test
    void closeIsIdempotent() throws Exception {
        LockHandle first = lock().acquire();
        first.close();
        LockHandle second = lock().acquire();

        first.close();

        assertThat(second.isHeld()).isTrue();
        second.close();
    }

    @Test
    void lossIsToldByTheHandle() throws Exception {
        LockHandle handle = lock().acquire();

        forceOut(handle);

        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.remaining()).isZero();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::ensureHeld)
                .satisfies(lost -> assertThat(lost.name()).isEqualTo(handle.name()))
                .withMessageContaining("'" + name() + "' was lost");
        assertThatThrownBy(handle::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void lossOfTheSessionIsToldByTheHandle() throws Exception {
        LockHandle handle = lock().acquire();

        member().expireSession();

        await().until(() -> handle.state() == LockState.LOST);
        assertThatThrownBy(handle::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void closeAfterALossThrowsOnceAndLeavesTheStateLost() throws Exception {
        LockHandle handle = lock().acquire();
        forceOut(handle);

        assertThatThrownBy(handle::close).isInstanceOf(LockLostException.class);

        assertThatCode(handle::close).doesNotThrowAnyException();
        assertThat(handle.state()).isEqualTo(LockState.LOST);
    }

    @Test
    void lossIsSuppressedIntoTheFailureOfTheBody() {
        IllegalStateException failure = new IllegalStateException("of the body");

        assertThatThrownBy(() -> {
                    try (LockHandle handle = lock().acquire()) {
                        forceOut(handle);
                        throw failure;
                    }
                })
                .isSameAs(failure)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
    }

    @Test
    void closeDuringAnOutageDoesNotThrowAndTheReleaseIsMadeUpFor() throws Exception {
        LockHandle handle = lockOf(join(Options.none().sessionTimeout(LONG))).acquire();
        cluster().outage();

        handle.close();

        assertThat(handle.state()).isEqualTo(LockState.RELEASED);
        cluster().heal();
        Actor.join(handle.released().toCompletableFuture());
        await().until(() -> cluster().queued(name()) == 0);
    }

    @Test
    void lossActionsRunOnceAndNotOnAnEventThread() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        AtomicReference<Thread> runner = new AtomicReference<>();
        LockHandle handle = lock().acquire();
        handle.onLost(() -> {
            runner.set(Thread.currentThread());
            runs.incrementAndGet();
        });

        forceOut(handle);

        await().until(() -> runs.get() == 1);
        assertThat(cluster().isEventThread(runner.get())).isFalse();
        assertThatThrownBy(handle::close).isInstanceOf(LockLostException.class);
        assertThat(runs).hasValue(1);
    }

    @Test
    void lossActionRunsAtOnceIfTheLockIsLostAlready() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        LockHandle handle = lock().acquire();
        forceOut(handle);

        handle.onLost(ran::countDown);

        assertThat(ran.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void lossActionNeverRunsAfterClose() throws Exception {
        List<String> ran = new ArrayList<>();
        LockHandle outer = lock().acquire();
        Actor thread = actor("nested");
        thread.act(() -> {
            LockContext.Scope scope = LockContext.open(outer);
            LockHandle inner = lock().acquire();
            inner.onLost(() -> ran.add("inner"));
            inner.close();
            inner.onLost(() -> ran.add("late"));
            scope.close();
        });
        CountDownLatch lost = new CountDownLatch(1);
        outer.onLost(lost::countDown);

        forceOut(outer);

        assertThat(lost.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(ran).isEmpty();
    }

    @Test
    void lossActionThatWasTakenOutDoesNotRun() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch kept = new CountDownLatch(1);
        LockHandle handle = lock().acquire();
        Registration registration = handle.onLost(runs::incrementAndGet);
        handle.onLost(kept::countDown);

        registration.close();
        registration.close();
        forceOut(handle);

        assertThat(kept.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(runs).hasValue(0);
    }

    @Test
    void lossActionsThatFailOrTakeLongDoNotKeepOthersFromRunning() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(1);
        LockHandle handle = lock().acquire();
        handle.onLost(() -> {
            throw new IllegalStateException("on purpose");
        });
        handle.onLost(() -> Actor.join(CompletableFuture.runAsync(() -> awaitLatch(end))));
        handle.onLost(ran::countDown);

        forceOut(handle);

        assertThat(ran.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        end.countDown();
    }

    @Test
    void releaseIsToldWhenTheClusterHasSeenIt() throws Exception {
        LockHandle handle = lock().acquire();
        assertThat(handle.released().toCompletableFuture().isDone()).isFalse();

        handle.close();

        Actor.join(handle.released().toCompletableFuture());
    }

    @Test
    void releaseCannotBeCompletedByTheCaller() throws Exception {
        LockHandle handle = lock().acquire();

        handle.released().toCompletableFuture().complete(null);

        assertThat(handle.released().toCompletableFuture().isDone()).isFalse();
        handle.close();
        Actor.join(handle.released().toCompletableFuture());
    }

    @Test
    void tokensRiseFromGrantToGrantOverAllProcesses() throws Exception {
        List<Member> members = List.of(member(), join());
        List<FencingToken> tokens = new ArrayList<>();

        for (int i = 0; i < 10; i++) {
            LockHandle handle = lockOf(members.get(i % 3 % 2)).acquire();
            tokens.add(handle.fencingToken());
            handle.close();
        }

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void tokensRiseOverSessions() throws Exception {
        LockHandle before = lock().acquire();
        member().expireSession();
        await().until(() -> before.state() == LockState.LOST);

        try (LockHandle after = lock().acquire()) {

            assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
        }
    }

    @Test
    void handleCanBeClosedByAnotherThread() throws Exception {
        LockHandle handle = lock().acquire();
        Actor thread = actor("other thread");

        thread.act(handle::close);

        Optional<LockHandle> next = lock().tryAcquire(LONG);
        assertThat(next).isPresent();
        next.orElseThrow().close();
    }

    @Test
    void threadThatHasOnlyAHandleIsAStrangerToTheLock() throws Exception {
        try (LockHandle handle = lock().acquire()) {

            assertThat(lock().tryAcquire()).isEmpty();
            assertThat(lock().tryAcquire(BUSY)).isEmpty();
            assertThat(lock().tryLock()).isFalse();
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void proofRunsOutDuringAnOutage() throws Exception {
        Member doubtful = join(Options.none().sessionTimeout(Duration.ofSeconds(1)));
        LockHandle handle = lockOf(doubtful).acquire();

        cluster().outage();

        await().until(() -> !handle.isHeld());
        assertThat(handle.state()).isIn(LockState.SUSPENDED, LockState.LOST);
        assertThat(handle.remaining()).isZero();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::ensureHeld);
        cluster().heal();
        await().until(() -> handle.state() == LockState.LOST || handle.isHeld());
    }

    @Test
    void maximumHoldEndsAnOwnership() throws Exception {
        Member bounded = join(Options.none().maxHold(SHORT));
        CountDownLatch told = new CountDownLatch(1);
        LockHandle handle = lockOf(bounded).acquire();
        handle.onLost(told::countDown);

        assertThat(told.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(handle.state()).isEqualTo(LockState.LOST);
        await().until(() -> cluster().queued(name()) == 0);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::close)
                .withMessageContaining("maximum hold");
    }

    @Test
    void closingTheRegistryIsALossToItsHolders() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        Member leaving = join();
        LockHandle handle = lockOf(leaving).acquire();
        handle.onLost(told::countDown);

        leaving.close();

        assertThat(told.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
        Optional<LockHandle> next = lock().tryAcquire(LONG);
        assertThat(next).isPresent();
        next.orElseThrow().close();
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
