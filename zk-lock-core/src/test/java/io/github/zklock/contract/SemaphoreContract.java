package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** So many permits and no more, for whole wishes, in any order of return. */
public abstract class SemaphoreContract extends Contract {

    @Test
    void semaphoreKnowsItsNameAndNumber() {
        assertThat(semaphore(3).name()).isEqualTo(LockName.of(name()));
        assertThat(semaphore(3).totalPermits()).isEqualTo(3);
    }

    @Test
    void asManyAsThereArePermitsAreInsideAndNotOneMore() throws Exception {
        Member other = join();
        LockHandle first = semaphore(3).acquire();
        LockHandle second = semaphore(3).acquire();
        LockHandle third = semaphoreOf(other, 3).acquire();

        for (Member process : List.of(member(), other)) {
            assertThat(semaphoreOf(process, 3).tryAcquire()).isEmpty();
            assertThat(semaphoreOf(process, 3).tryAcquire(Duration.ZERO)).isEmpty();
        }
        assertThat(List.of(first, second, third)).allMatch(LockHandle::isHeld);

        first.close();
        semaphoreOf(other, 3).acquire(LONG).close();
        second.close();
        third.close();
    }

    @Test
    void severalPermitsAreTakenAllAtOnceOrNotAtAll() throws Exception {
        Member other = join();
        LockHandle two = semaphore(3).permits(2).acquire();

        for (Member process : List.of(member(), other)) {
            assertThat(semaphoreOf(process, 3).permits(2).tryAcquire()).isEmpty();
            assertThat(semaphoreOf(process, 3).availablePermits()).isEqualTo(1);
        }

        try (LockHandle one = semaphoreOf(other, 3).permits(1).acquire(LONG)) {
            assertThat(one.isHeld()).isTrue();
            assertThat(two.isHeld()).isTrue();
        }
        two.close();
        semaphoreOf(other, 3).permits(3).acquire(LONG).close();
    }

    @Test
    void permitsThatAreReturnedTogetherAreTakenByAllWhoWaitForThem() throws Exception {
        Member other = join();
        LockHandle all = semaphore(3).permits(3).acquire();
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waits.add(semaphoreOf(i == 1 ? member() : other, 3).acquireAsync());
        }
        awaitWaiters(1);
        await().until(() -> other.registry().inspector().awaited().size() == 2);

        all.close();

        List<LockHandle> inside = waits.stream().map(Actor::join).toList();
        assertThat(inside).allMatch(LockHandle::isHeld);
        assertThat(semaphore(3).tryAcquire()).isEmpty();
        inside.forEach(LockHandle::close);
    }

    @Test
    void everyOrderOfReturnLetsTheNextIn() throws Exception {
        Member other = join();
        for (List<Integer> order : List.of(
                List.of(0, 1, 2),
                List.of(0, 2, 1),
                List.of(1, 0, 2),
                List.of(1, 2, 0),
                List.of(2, 0, 1),
                List.of(2, 1, 0))) {
            List<LockHandle> holders = List.of(
                    semaphore(3).acquire(LONG),
                    semaphoreOf(other, 3).acquire(LONG),
                    semaphore(3).acquire(LONG));
            List<CompletableFuture<LockHandle>> waits = List.of(
                    semaphoreOf(other, 3).acquireAsync(),
                    semaphore(3).acquireAsync(),
                    semaphoreOf(other, 3).acquireAsync());

            order.forEach(each -> holders.get(each).close());

            List<LockHandle> next = waits.stream().map(Actor::join).toList();
            assertThat(next).as("after the order %s", order).allMatch(LockHandle::isHeld);
            next.forEach(LockHandle::close);
        }
    }

    @Test
    void handleCanBeClosedByAnotherThreadAndCountsOnce() throws Exception {
        LockHandle first = semaphore(2).acquire();
        LockHandle second = semaphore(2).acquire();

        actor("other thread").act(first::close);
        first.close();

        try (LockHandle next = semaphore(2).acquire(LONG)) {
            assertThat(next.isHeld()).isTrue();
            assertThat(semaphore(2).tryAcquire()).isEmpty();
        }
        second.close();
    }

    @Test
    void thereIsNoReentry() throws Exception {
        try (LockHandle only = semaphore(1).acquire();
                LockContext.Scope scope = LockContext.open(only)) {

            assertThat(semaphore(1).tryAcquire()).isEmpty();
            assertThat(semaphore(1).tryAcquire(BUSY)).isEmpty();
            assertThat(only.isHeld()).isTrue();
        }
    }

    @Test
    void smallerNumberOfPermitsCountsWhileARequestWithItIsInFront() throws Exception {
        Member updated = join();
        LockHandle former = semaphore(2).acquire();
        LockHandle second = semaphoreOf(updated, 3).acquire();
        assertThat(semaphoreOf(updated, 3).availablePermits()).isZero();
        assertThat(semaphoreOf(updated, 3).tryAcquire()).isEmpty();
        CompletableFuture<LockHandle> third = semaphoreOf(updated, 3).acquireAsync();
        awaitQueued(3);

        assertThat(third.isDone()).isFalse();
        former.close();

        List<LockHandle> all =
                List.of(second, Actor.join(third), semaphoreOf(updated, 3).acquire(LONG));
        assertThat(all).allMatch(LockHandle::isHeld);
        all.forEach(LockHandle::close);
    }

    @Test
    void requestWithASmallerNumberOfPermitsWaitsUntilThatManySuffice() throws Exception {
        Member updated = join();
        List<LockHandle> former = List.of(
                semaphore(3).acquire(), semaphore(3).acquire(), semaphore(3).acquire());
        CompletableFuture<LockHandle> waiting = semaphoreOf(updated, 2).acquireAsync();
        awaitQueued(4);

        former.get(0).close();
        awaitQueued(3);
        assertThat(waiting.isDone()).isFalse();
        assertThat(semaphoreOf(updated, 2).tryAcquire()).isEmpty();
        former.get(1).close();

        try (LockHandle next = Actor.join(waiting)) {
            assertThat(next.isHeld()).isTrue();
            // the former number does not count behind the smaller one
            assertThat(semaphore(3).tryAcquire()).isEmpty();
        }
        former.get(2).close();
    }

    @Test
    void processMayChangeItsNumberOfPermitsWhileItHoldsSome() throws Exception {
        LockHandle former = semaphore(1).acquire();
        CompletableFuture<LockHandle> next = semaphore(2).acquireAsync();
        awaitWaiters(1);

        assertThat(semaphore(2).tryAcquire()).isEmpty();
        former.close();

        try (LockHandle first = Actor.join(next);
                LockHandle second = semaphore(2).acquire(LONG)) {
            assertThat(List.of(first, second)).allMatch(LockHandle::isHeld);
            assertThat(semaphore(2).tryAcquire()).isEmpty();
        }
    }

    @Test
    void availablePermitsAreThoseThatNobodyHoldsOrWaitsFor() throws Exception {
        Member other = join();
        assertThat(semaphore(4).availablePermits()).isEqualTo(4);
        LockHandle one = semaphore(4).acquire();
        assertThat(semaphoreOf(other, 4).availablePermits()).isEqualTo(3);
        CompletableFuture<LockHandle> large = semaphoreOf(other, 4).permits(4).acquireAsync();
        awaitQueued(2);

        int owed = semaphore(4).availablePermits();
        int told = other.registry().semaphore(name(), 4).availablePermits();

        assertThat(owed).isZero();
        assertThat(told).isZero();
        one.close();
        Actor.join(large).close();
        await().until(() -> semaphore(4).availablePermits() == 4);
    }

    // nothing is to come back
    @SuppressWarnings("FutureReturnValueIgnored")
    @Test
    void wishesBeyondTheBoundsAreRefusedWithBothNumbers() {
        ClusterSemaphore three = semaphore(3);
        for (int wish : new int[] {0, -1, 4, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            List<Callable<?>> forms = List.of(
                    () -> three.permits(wish).acquire(),
                    () -> three.permits(wish).acquire(LONG),
                    () -> three.permits(wish).tryAcquire(),
                    () -> three.permits(wish).tryAcquire(LONG),
                    () -> three.permits(wish).acquireAsync(),
                    () -> three.permits(wish).acquireAsync(LONG));

            assertThat(forms)
                    .allSatisfy(form -> assertThatExceptionOfType(IllegalArgumentException.class)
                            .isThrownBy(form::call)
                            .withMessageContaining(name())
                            .withMessageContaining(Integer.toString(wish))
                            .withMessageContaining("3"));
        }
        assertThat(cluster().queued(name())).isZero();
    }

    @Test
    void numbersOfPermitsBeyondTheBoundsAreRefused() {
        for (int permits : new int[] {0, -1, 10_001, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> semaphore(permits))
                    .withMessageContaining(name())
                    .withMessageContaining(Integer.toString(permits));
        }
        assertThatCode(() -> semaphore(10_000)).doesNotThrowAnyException();
        assertThatCode(() -> semaphore(1)).doesNotThrowAnyException();
    }

    // nothing is to come back
    @SuppressWarnings("FutureReturnValueIgnored")
    @Test
    void negativeWaitsAndNullsAreRefused() {
        Duration negative = Duration.ofNanos(-1);
        List<Callable<?>> forms = List.of(
                () -> semaphore(2).acquire(negative),
                () -> semaphore(2).permits(1).tryAcquire(negative),
                () -> semaphore(2).permits(2).acquireAsync(negative));

        assertThat(forms)
                .allSatisfy(form -> assertThatExceptionOfType(IllegalArgumentException.class)
                        .isThrownBy(form::call)
                        .withMessageContaining(name())
                        .withMessageContaining(Words.of(negative)));
        assertThatNullPointerException().isThrownBy(() -> registry().semaphore(null, 1));
        assertThatNullPointerException()
                .isThrownBy(() -> semaphore(2).permits(1).acquire(null));
        assertThatNullPointerException()
                .isThrownBy(() -> semaphore(2).permits(1).tryAcquire(null));
        assertThatNullPointerException()
                .isThrownBy(() -> semaphore(2).permits(1).acquireAsync(null));
        assertThat(cluster().queued(name())).isZero();
    }

    @Test
    void neverMoreAreInsideThanThereArePermitsUnderLoad() {
        List<Member> members = List.of(member(), join());
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Future<Integer>> work = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ClusterSemaphore shared = semaphoreOf(members.get(i % 2), 3);
            int wish = i % 3 + 1;
            work.add(actor("worker " + i).start(() -> {
                for (int round = 0; round < 15; round++) {
                    LockHandle permits = shared.permits(wish).acquire();
                    most.accumulateAndGet(inside.addAndGet(wish), Math::max);
                    Thread.onSpinWait();
                    inside.addAndGet(-wish);
                    permits.close();
                }
                return 15;
            }));
        }

        int rounds = work.stream().mapToInt(Actor::join).sum();

        assertThat(rounds).isEqualTo(8 * 15);
        assertThat(most).hasValue(3);
    }
}
