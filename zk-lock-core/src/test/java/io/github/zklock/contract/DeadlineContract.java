package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.contract.ClusterFixture.Options;
import io.github.zklock.fixture.Actor;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How waits end: contention is not outage, and neither is ever told for the other. */
public abstract class DeadlineContract extends Contract {

    @Test
    void blockingFormSaysAtItsDeadlineThatOthersHeldTheLock() throws Exception {
        try (LockHandle holder = lockOf(join()).acquire()) {

            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> lock().acquire(BUSY))
                    .satisfies(late -> assertThat(late.name()).isEqualTo(holder.name()))
                    .withMessageContaining("'" + name() + "' not acquired")
                    .withMessageContaining(Words.of(BUSY));
        }
    }

    @Test
    void messageOfALongWaitNamesTheFirstInTheQueue() throws Exception {
        Member other = join();
        try (LockHandle holder = lockOf(other).acquire()) {
            String instance = registry()
                    .inspector()
                    .queue(name())
                    .get(0)
                    .owner()
                    .orElseThrow()
                    .instance();

            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> lock().acquire(BUSY.multipliedBy(4)))
                    .withMessageContaining("1 other ahead, the first one was instance '" + instance + "', thread '"
                            + Thread.currentThread().getName() + "', since ");
            assertThat(holder.isHeld()).isTrue();
        }
    }

    @Test
    void tryingFormIsEmptyAtItsDeadline() throws Exception {
        try (LockHandle holder = lockOf(join()).acquire()) {

            assertThat(lock().tryAcquire(BUSY)).isEmpty();
            assertThat(holder.isHeld()).isTrue();
        }
    }

    @Test
    void holderOfTheSameProcessIsContentionToo() throws Exception {
        try (LockHandle holder = lock().acquire()) {

            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> lock().acquire(SHORT));
            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> lock().acquire(Duration.ZERO));
            assertThat(lock().tryAcquire(SHORT)).isEmpty();
            assertThat(holder.isHeld()).isTrue();
        }
    }

    @Test
    void everyTimedFormSaysInAnOutageThatTheClusterCouldNotBeAsked() {
        cluster().outage();
        // while the connection counts as there, those who wait already are reason enough for one who only asks
        await().until(() -> !registry().inspector().session().connected());
        List<Callable<?>> forms = List.of(
                () -> lock().acquire(SHORT),
                () -> lock().acquire(Duration.ZERO),
                () -> lock().tryAcquire(SHORT),
                () -> lock().tryAcquire(),
                () -> lock().tryLock(),
                () -> lock().tryLock(SHORT.toMillis(), TimeUnit.MILLISECONDS),
                () -> lock().tryLock(0, TimeUnit.SECONDS),
                () -> Actor.join(lock().acquireAsync(SHORT)),
                () -> registry().executeLocked(name(), SHORT, handle -> "ran"));

        // all at once, as those that only ask take the connection timeout each
        List<Future<?>> attempts = new ArrayList<>();
        for (Callable<?> form : forms) {
            attempts.add(actor("form " + attempts.size()).start(form));
        }

        assertThat(attempts)
                .allSatisfy(attempt -> assertThatExceptionOfType(LockUnavailableException.class)
                        .isThrownBy(() -> Actor.join(attempt))
                        .satisfies(failed -> assertThat(failed.name().value()).isEqualTo(name()))
                        .withMessageContaining("'" + name() + "' not acquired"));
        assertThat(registry().inspector().awaited()).isEmpty();
    }

    @Test
    void waitBehindAHolderThatEndsInAnOutageIsNotCalledContention() throws Exception {
        LockHandle holder = lockOf(join()).acquire();
        assertThat(holder.isHeld()).isTrue();
        Duration limit = Duration.ofSeconds(1);
        Future<?> wait = waitIntoAnOutage(limit);
        while (wait.isDone()) {
            // a machine so slow that the wait was over before the outage was noticed
            cluster().heal();
            limit = limit.multipliedBy(2);
            wait = waitIntoAnOutage(limit);
        }
        Future<?> disconnected = wait;

        assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> Actor.join(disconnected));

        cluster().heal();
        await().until(() -> cluster().queued(name()) <= 1);
    }

    private Future<?> waitIntoAnOutage(Duration limit) {
        Future<?> wait = actor("waits for " + limit).start(() -> lock().acquire(limit));
        await().until(() -> cluster().queued(name()) == 2 || wait.isDone());
        cluster().outage();
        await().until(() -> !registry().inspector().session().connected());
        return wait;
    }

    @Test
    void untimedFormOutlastsAnOutage() throws Exception {
        cluster().outage();
        Actor thread = actor("waiter");
        Future<LockHandle> wait = thread.start(() -> lock().acquire());
        awaitWaiters(1);

        cluster().heal();

        awaitHeld(Actor.join(wait));
        Actor.join(wait).close();
    }

    @Test
    void timedFormWaitsThroughAnOutageThatEndsInTime() throws Exception {
        cluster().outage();
        Actor thread = actor("waiter");
        Future<LockHandle> wait = thread.start(() -> lock().acquire(LONG));
        awaitWaiters(1);

        cluster().heal();

        awaitHeld(Actor.join(wait));
        Actor.join(wait).close();
    }

    @Test
    void waitBehindAHolderGoesOnAfterAnOutage() throws Exception {
        LockHandle holder = lockOf(join(Options.none().sessionTimeout(LONG))).acquire();
        Actor thread = actor("waiter");
        Future<LockHandle> wait = thread.start(() -> lock().acquire());
        await().until(() -> cluster().queued(name()) == 2);
        cluster().outage();
        cluster().heal();

        holder.close();

        Actor.join(wait).close();
    }

    @Test
    void sessionThatIsLostWhileWaitingQueuesAnew() throws Exception {
        LockHandle holder = lockOf(join()).acquire();
        Actor thread = actor("waiter");
        Future<LockHandle> wait = thread.start(() -> lock().acquire(LONG));
        await().until(() -> cluster().queued(name()) == 2);
        String before = registry().inspector().session().id();

        member().expireSession();

        await().until(() -> {
            String now = registry().inspector().session().id();
            return !now.isEmpty() && !now.equals(before) && cluster().queued(name()) == 2;
        });
        assertThat(wait.isDone()).isFalse();
        holder.close();
        Actor.join(wait).close();
    }

    @Test
    void waiterIsServedWhenAnOperatorDeletesTheHolder() throws Exception {
        LockHandle holder = lockOf(join()).acquire();
        Actor thread = actor("waiter");
        Future<LockHandle> wait = thread.start(() -> lock().acquire(LONG));
        await().until(() -> cluster().queued(name()) == 2);

        forceOut(holder);
        LockHandle next = Actor.join(wait);

        assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
        next.close();
    }

    @Test
    void longestWaitsDoNotOverflow() throws Exception {
        lock().acquire(Duration.ofSeconds(Long.MAX_VALUE)).close();
        lock().tryAcquire(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))
                .orElseThrow()
                .close();
        Actor.join(lock().acquireAsync(Duration.ofSeconds(Long.MAX_VALUE))).close();

        assertThat(lock().tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();

        lock().unlock();
    }

    @Test
    void longestWaitBehindAHolderDoesNotEndAtOnce() throws Exception {
        LockHandle holder = lock().acquire();
        Actor thread = actor("waiter");
        Future<LockHandle> wait = thread.start(() -> lock().acquire(Duration.ofSeconds(Long.MAX_VALUE)));
        awaitWaiters(1);

        holder.close();

        Actor.join(wait).close();
    }

    @Test
    void closedRegistryRefusesEveryFormAtOnce() {
        Member leaving = join();
        ClusterLock refused = lockOf(leaving);
        leaving.close();
        List<Callable<?>> forms = List.of(
                refused::acquire,
                () -> refused.acquire(LONG),
                refused::tryAcquire,
                () -> refused.tryAcquire(LONG),
                () -> Actor.join(refused.acquireAsync()),
                refused::tryLock,
                () -> refused.tryLock(1, TimeUnit.DAYS),
                () -> {
                    refused.lock();
                    return true;
                },
                () -> leaving.registry().executeLocked(name(), handle -> true));

        assertThat(forms)
                .allSatisfy(form -> assertThatExceptionOfType(LockRegistryClosedException.class)
                        .isThrownBy(form::call)
                        .withMessageContaining("'" + name() + "'")
                        .withMessageContaining("closed"));
    }

    @Test
    void closingTheRegistryEndsItsWaits() throws Exception {
        Member leaving = join();
        LockHandle holder = lock().acquire();
        Actor thread = actor("waiter");
        Future<?> wait = thread.startAct(() -> lockOf(leaving).lock());
        await().until(() -> cluster().queued(name()) == 2);

        leaving.close();

        assertThatExceptionOfType(LockRegistryClosedException.class).isThrownBy(() -> Actor.join(wait));
        await().until(() -> cluster().queued(name()) == 1);
        holder.close();
    }
}
