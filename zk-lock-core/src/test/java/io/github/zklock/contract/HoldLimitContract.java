package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.contract.ClusterFixture.Options;
import io.github.zklock.fixture.Actor;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What {@link LockHandle#loseAfter} promises. */
public abstract class HoldLimitContract extends Contract {

    /** Longer than the time between two calls of a test. */
    private static final Duration SOON = Duration.ofSeconds(3);

    @Test
    void lockIsLostWhenItsLimitIsOver() throws Exception {
        Recorder told = new Recorder();
        registry().addListener(told);
        CountDownLatch ran = new CountDownLatch(1);
        LockHandle handle = lock().acquire();
        handle.onLost(ran::countDown);

        handle.loseAfter(SHORT);

        assertThat(ran.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(handle.state()).isEqualTo(LockState.LOST);
        assertThat(handle.isHeld()).isFalse();
        assertThat(told.await(LockEvent.Lost.class).reason()).contains("limit of " + Words.of(SHORT));
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::close)
                .withMessageContaining("'" + name() + "' was lost")
                .withMessageContaining("limit of " + Words.of(SHORT));
        await().until(() -> cluster().queued(name()) == 0);
    }

    @Test
    void nextInTheQueueGetsALockWhoseLimitIsOver() throws Exception {
        LockHandle handle = lock().acquire();
        CompletableFuture<LockHandle> next = lockOf(join()).acquireAsync();
        awaitQueued(2);

        handle.loseAfter(SHORT);

        Actor.join(next).close();
        assertThat(handle.state()).isEqualTo(LockState.LOST);
    }

    @Test
    void limitCanBeExtended() throws Exception {
        LockHandle handle = lock().acquire();

        handle.loseAfter(SOON);
        handle.loseAfter(LONG);

        awaitLimit(SOON);
        assertThat(handle.isHeld()).isTrue();
        handle.close();
    }

    @Test
    void limitCanBeShortened() throws Exception {
        LockHandle handle = lock().acquire();

        handle.loseAfter(LONG);
        handle.loseAfter(SHORT);

        await().until(() -> handle.state() == LockState.LOST);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::close)
                .withMessageContaining("limit of " + Words.of(SHORT));
    }

    @Test
    void limitNeverExtendsTheMaximumHold() throws Exception {
        LockHandle handle = lockOf(join(Options.none().maxHold(SHORT))).acquire();

        handle.loseAfter(LONG);

        await().until(() -> handle.state() == LockState.LOST);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::close)
                .withMessageContaining("maximum hold");
    }

    @Test
    void limitOfOneHandleEndsTheWholeOwnership() throws Exception {
        LockHandle outer = lock().acquire();
        LockHandle inner = another(outer);

        inner.loseAfter(SHORT);

        await().until(() -> outer.state() == LockState.LOST);
        assertThatThrownBy(inner::close).isInstanceOf(LockLostException.class);
        assertThatThrownBy(outer::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void limitOfAClosedHandleTakesNothingFromTheOthersOfItsOwnership() throws Exception {
        LockHandle outer = lock().acquire();
        LockHandle inner = another(outer);
        inner.loseAfter(SOON);

        inner.close();
        inner.loseAfter(SOON);

        awaitLimit(SOON);
        assertThat(outer.isHeld()).isTrue();
        outer.close();
    }

    @Test
    void limitOfAReleasedHandleTakesNothingFromTheNextOwner() throws Exception {
        LockHandle first = lock().acquire();
        first.loseAfter(SOON);
        first.close();

        LockHandle second = lock().acquire();
        first.loseAfter(SOON);

        awaitLimit(SOON);
        assertThat(first.state()).isEqualTo(LockState.RELEASED);
        assertThat(second.isHeld()).isTrue();
        second.close();
    }

    @Test
    void limitOfALostHandleChangesNothing() throws Exception {
        Recorder told = new Recorder();
        registry().addListener(told);
        LockHandle handle = lock().acquire();
        forceOut(handle);

        handle.loseAfter(SHORT);

        awaitLimit(SHORT);
        assertThat(handle.state()).isEqualTo(LockState.LOST);
        // events are reported in their order
        await().until(() -> told.all(LockEvent.Lost.class)
                .anyMatch(lost -> lost.name().value().endsWith("/clock")));
        assertThat(told.all(LockEvent.Lost.class).filter(lost -> lost.name().equals(handle.name())))
                .hasSize(1);
        assertThatThrownBy(handle::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void limitIsKeptDuringAnOutage() throws Exception {
        LockHandle handle = lockOf(join(Options.none().sessionTimeout(LONG))).acquire();
        cluster().outage();

        handle.loseAfter(SHORT);

        await().until(() -> handle.state() == LockState.LOST);
        cluster().heal();
        await().until(() -> cluster().queued(name()) == 0);
        assertThatThrownBy(handle::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void eachOfSeveralLocksIsLimited() throws Exception {
        Handle whole =
                registry().allOf(lock(), registry().lock(name() + "/other")).acquire();

        whole.loseAfter(SHORT);

        await().until(() -> whole.parts().stream().allMatch(part -> part.state() == LockState.LOST));
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(whole::close)
                .withMessageContaining("limit of " + Words.of(SHORT));
    }

    @Test
    void limitOfAReaderLeavesOtherReadersAlone() throws Exception {
        LockHandle limited = reading().acquire();
        LockHandle other = reading().acquire();

        limited.loseAfter(SHORT);

        await().until(() -> limited.state() == LockState.LOST);
        assertThat(other.isHeld()).isTrue();
        other.close();
        assertThatThrownBy(limited::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void limitOfAPermitGivesItToTheNext() throws Exception {
        LockHandle limited = semaphore(2).acquire();
        LockHandle other = semaphore(2).acquire();
        CompletableFuture<LockHandle> next = semaphore(2).acquireAsync();

        limited.loseAfter(SHORT);

        Actor.join(next).close();
        assertThat(other.isHeld()).isTrue();
        other.close();
        assertThatThrownBy(limited::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void limitDoesNotHideThatAHandleWasDropped() throws Exception {
        Recorder told = new Recorder();
        registry().addListener(told);
        FencingToken token = dropLimitedHandle(lock());

        await().until(() -> {
            System.gc();
            return told.all(LockEvent.Leaked.class).findAny().isPresent();
        });

        assertThat(told.await(LockEvent.Leaked.class).token()).isEqualTo(token);
    }

    @Test
    void limitsThatAreNotPositiveAreRefusedAndChangeNothing() throws Exception {
        try (LockHandle handle = lock().acquire()) {
            assertThat(List.of(Duration.ZERO, Duration.ofNanos(-1)))
                    .allSatisfy(refused -> assertThatExceptionOfType(IllegalArgumentException.class)
                            .isThrownBy(() -> handle.loseAfter(refused))
                            .withMessageContaining("'" + name() + "'")
                            .withMessageContaining(Words.of(refused)));
            assertThatNullPointerException().isThrownBy(() -> handle.loseAfter(null));

            handle.loseAfter(Duration.ofSeconds(Long.MAX_VALUE));

            assertThat(handle.isHeld()).isTrue();
        }
    }

    /** One more handle of the same ownership. */
    private LockHandle another(LockHandle outer) throws InterruptedException {
        LockContext.Scope scope = LockContext.open(outer);
        try {
            return lock().acquire();
        } finally {
            scope.close();
        }
    }

    /** Returns when another lock of this registry was lost by a limit that was set after all others. */
    private void awaitLimit(Duration limit) throws InterruptedException {
        LockHandle clock = registry().lock(name() + "/clock").acquire();
        clock.loseAfter(limit);
        await().until(() -> clock.state() == LockState.LOST);
        assertThatThrownBy(clock::close).isInstanceOf(LockLostException.class);
    }

    private static FencingToken dropLimitedHandle(ClusterLock lock) throws InterruptedException {
        LockHandle dropped = lock.acquire();
        dropped.loseAfter(LONG);
        return dropped.fencingToken();
    }
}
