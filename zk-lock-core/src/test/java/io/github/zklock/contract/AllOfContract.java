package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterLock;
import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** All of several locks or none, in one order, under one deadline. */
public abstract class AllOfContract extends Contract {

    /** One of the single locks of this test. */
    private ClusterLock single(String part) {
        return registry().lock(name() + part);
    }

    private Acquirable<Handle> both() {
        return bothOf(member());
    }

    private Acquirable<Handle> bothOf(Member process) {
        return process.registry().allOf(name() + "/b", name() + "/a");
    }

    private void assertFree(String part) {
        assertThat(Actor.join(single(part).acquireAsync(LONG)))
                .satisfies(LockHandle::ensureHeld)
                .satisfies(LockHandle::close);
    }

    private void awaitQueued(String part, int count) {
        await().until(() -> cluster().queued(name() + part) == count);
    }

    @Test
    void wholeIsHeldWithEachOfItsPartsInTheOrderOfTheirNames() throws Exception {
        Member other = join();
        try (Handle whole =
                registry().allOf(name() + "/c", name() + "/a", name() + "/b").acquire()) {

            assertThat(whole.isHeld()).isTrue();
            assertThat(whole.parts())
                    .extracting(part -> part.name().value())
                    .containsExactly(name() + "/a", name() + "/b", name() + "/c");
            assertThat(whole.parts()).allMatch(LockHandle::isHeld);
            for (String part : List.of("/a", "/b", "/c")) {
                assertThat(other.registry().lock(name() + part).tryAcquire()).isEmpty();
            }
        }
        List.of("/a", "/b", "/c").forEach(this::assertFree);
    }

    @Test
    void everyFormTakesAllOfThem() throws Exception {
        List<Callable<Handle>> forms = List.of(
                () -> both().acquire(),
                () -> both().acquire(LONG),
                () -> both().tryAcquire().orElseThrow(),
                () -> both().tryAcquire(LONG).orElseThrow(),
                () -> Actor.join(both().acquireAsync()),
                () -> Actor.join(both().acquireAsync(LONG)));
        for (Callable<Handle> form : forms) {
            Handle whole = form.call();

            assertThat(whole.parts()).hasSize(2).allMatch(LockHandle::isHeld);
            assertThat(single("/b").tryAcquire()).isEmpty();
            whole.close();
            awaitQueued("/a", 0);
            awaitQueued("/b", 0);
        }
    }

    @Test
    void lockThatIsNamedTwiceIsTakenOnce() throws Exception {
        String a = name() + "/a";

        try (Handle whole =
                registry().allOf(a, name() + "/b", a.substring(1), a + "/").acquire(LONG)) {

            assertThat(whole.parts()).hasSize(2);
        }
        try (Handle one = registry().allOf(a, a).acquire(LONG)) {
            assertThat(one.parts())
                    .singleElement()
                    .satisfies(part -> assertThat(part.name().value()).isEqualTo(a));
        }
    }

    @Test
    void sameLocksAreEqualInAnyOrder() {
        assertThat(registry().allOf(name() + "/b", name() + "/a"))
                .isEqualTo(registry().allOf(single("/a"), single("/b")))
                .isNotEqualTo(registry().allOf(single("/a"), single("/c")));
    }

    @Test
    void exclusiveReadAndWriteLocksMayBeMixed() throws Exception {
        Member other = join();
        Acquirable<Handle> mixed = registry()
                .allOf(
                        registry().readWriteLock(name() + "/c").writeLock(),
                        registry().readWriteLock(name() + "/b").readLock(),
                        single("/a"));

        try (Handle whole = mixed.acquire(LONG);
                LockHandle beside =
                        other.registry().readWriteLock(name() + "/b").readLock().acquire(LONG)) {

            assertThat(whole.isHeld()).isTrue();
            assertThat(beside.isHeld()).isTrue();
            assertThat(other.registry().readWriteLock(name() + "/c").readLock().tryAcquire())
                    .isEmpty();
            assertThat(other.registry().lock(name() + "/a").tryAcquire()).isEmpty();
        }
    }

    @Test
    void locksOfSeveralRegistriesMayBeMixed() throws Exception {
        Member other = join();
        Acquirable<Handle> mixed =
                registry().allOf(single("/b"), other.registry().lock(name() + "/a"));

        try (Handle whole = mixed.acquire(LONG)) {

            assertThat(whole.isHeld()).isTrue();
            assertThat(registry().inspector().held()).hasSize(1);
            assertThat(other.registry().inspector().held()).hasSize(1);
        }
    }

    @Test
    void whatCannotBeTakenTogetherIsRefused() {
        ClusterLock read = registry().readWriteLock(name()).readLock();
        ClusterLock write = registry().readWriteLock(name()).writeLock();

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> registry().allOf(write, single("/a"), read))
                .withMessageContaining("'" + name() + "'")
                .withMessageContaining("read")
                .withMessageContaining("write");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> registry().allOf(new String[0]))
                .withMessageContaining("without a lock");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> registry().allOf(new ClusterLock[0]))
                .withMessageContaining("without a lock");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> registry().allOf(name(), "/./a"))
                .withMessageContaining("/./a");
        assertThatNullPointerException().isThrownBy(() -> registry().allOf(single("/a"), null));
        assertThatNullPointerException().isThrownBy(() -> registry().allOf((ClusterLock[]) null));
        assertThatNullPointerException().isThrownBy(() -> registry().allOf((String[]) null));
    }

    // nothing is to come back
    @SuppressWarnings("FutureReturnValueIgnored")
    @Test
    void negativeWaitsAndNullsAreRefused() {
        Duration negative = Duration.ofNanos(-1);
        List<Callable<?>> forms = List.of(
                () -> both().acquire(negative), () -> both().tryAcquire(negative), () -> both().acquireAsync(negative));

        assertThat(forms)
                .allSatisfy(form -> assertThatExceptionOfType(IllegalArgumentException.class)
                        .isThrownBy(form::call)
                        .withMessageContaining(name() + "/a")
                        .withMessageContaining(Words.of(negative)));
        assertThatNullPointerException().isThrownBy(() -> both().acquire(null));
        assertThatNullPointerException().isThrownBy(() -> both().tryAcquire(null));
        assertThatNullPointerException().isThrownBy(() -> both().acquireAsync(null));
    }

    @Test
    void nothingIsKeptWhenOneOfThemIsNotHadInTime() throws Exception {
        LockHandle holder = join().registry().lock(name() + "/b").acquire();
        List<Callable<?>> forms = List.of(
                () -> both().acquire(BUSY),
                () -> both().acquire(Duration.ZERO),
                () -> Actor.join(both().acquireAsync(BUSY)));

        assertThat(forms)
                .allSatisfy(form -> assertThatExceptionOfType(LockTimeoutException.class)
                        .isThrownBy(form::call)
                        .satisfies(late -> assertThat(late.name()).isEqualTo(holder.name()))
                        .withMessageContaining("'" + name() + "/b' not acquired"));
        assertThat(both().tryAcquire()).isEmpty();
        assertThat(both().tryAcquire(BUSY)).isEmpty();
        assertThat(both().tryAcquire(Duration.ZERO)).isEmpty();

        assertThat(registry().inspector().held()).isEmpty();
        assertThat(registry().inspector().awaited()).isEmpty();
        assertFree("/a");
        awaitQueued("/b", 1);
        holder.close();
    }

    @Test
    void waitIsServedWhenTheHolderOfTheMissingOneLeaves() throws Exception {
        for (String missing : List.of("/a", "/b")) {
            LockHandle holder = single(missing).acquire(LONG);
            CompletableFuture<Handle> async = both().acquireAsync(LONG);
            Future<Handle> sync = actor("waits for " + missing).start(() -> both().acquire(LONG));
            awaitWaiters(2);
            assertThat(async.isDone()).isFalse();

            holder.close();

            // whichever of them came first
            CompletableFuture<Void> first = async.thenAccept(Handle::close);
            Actor.join(sync).close();
            Actor.join(first);
        }
    }

    @Test
    void outageIsNotCalledContention() {
        cluster().outage();

        assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> both().acquire(SHORT));
        assertThatExceptionOfType(LockUnavailableException.class)
                .isThrownBy(() -> Actor.join(both().acquireAsync(SHORT)));
        assertThat(registry().inspector().awaited()).isEmpty();
    }

    @Test
    void untimedFormOutlastsAnOutage() {
        cluster().outage();
        CompletableFuture<Handle> wait = both().acquireAsync();
        awaitWaiters(1);

        cluster().heal();

        Handle whole = Actor.join(wait);
        whole.parts().forEach(Contract::awaitHeld);
        whole.close();
    }

    @Test
    void longestWaitsDoNotOverflow() throws Exception {
        both().acquire(Duration.ofSeconds(Long.MAX_VALUE)).close();
        Actor.join(both().acquireAsync(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)))
                .close();
        both().tryAcquire(Duration.ofSeconds(Long.MAX_VALUE)).orElseThrow().close();
    }

    @Test
    void callersWithOppositeOrdersDoNotWaitForEachOther() {
        int rounds = 25;
        Member other = join();
        List<Future<Integer>> work = List.of(
                rounds(rounds, registry().allOf(name() + "/a", name() + "/b")),
                rounds(rounds, registry().allOf(name() + "/b", name() + "/a")),
                rounds(rounds, other.registry().allOf(name() + "/b", name() + "/a", name() + "/c")),
                rounds(rounds, other.registry().allOf(name() + "/c", name() + "/b")));

        assertThat(work.stream().mapToInt(Actor::join).sum()).isEqualTo(4 * rounds);
    }

    private Future<Integer> rounds(int count, Acquirable<Handle> whole) {
        return actor("cycles").start(() -> {
            for (int i = 0; i < count; i++) {
                whole.acquire().close();
            }
            return count;
        });
    }
}
