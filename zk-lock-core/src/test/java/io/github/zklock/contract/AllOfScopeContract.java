package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.fixture.Actor;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Several locks as one in a scope: who owns them, from where to where. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class AllOfScopeContract extends Contract {

    private Acquirable<Handle> both() {
        return registry().allOf(name() + "/a", name() + "/b");
    }

    private ClusterLock a() {
        return registry().lock(name() + "/a");
    }

    private ClusterLock b() {
        return registry().lock(name() + "/b");
    }

    @Test
    void scopeOfTheWholeLetsItsThreadReenterThePartsAndTheWhole() throws Exception {
        try (Handle outer = both().acquire();
                LockContext.Scope scope = LockContext.open(outer)) {
            List<LockHandle> held = LockContext.current();

            assertThat(a().tryLock()).isTrue();
            LockHandle single = b().acquire();
            Handle whole = both().tryAcquire().orElseThrow();
            Handle again = both().acquire(LONG);

            assertThat(held).isEqualTo(outer.parts());
            assertThat(single.fencingToken()).isEqualTo(held.get(1).fencingToken());
            assertThat(List.of(whole, again))
                    .allSatisfy(each -> assertThat(each.parts())
                            .extracting(LockHandle::fencingToken)
                            .containsExactly(
                                    held.get(0).fencingToken(), held.get(1).fencingToken()));
            again.close();
            whole.close();
            single.close();
            a().unlock();
        }
        assertThat(LockContext.current()).isEmpty();
        assertThat(registry().inspector().held()).isEmpty();
    }

    @Test
    void ownerOfOnePartReentersItWhenItTakesTheWhole() throws Exception {
        b().lock();

        Handle sync = both().acquire(LONG);
        sync.close();
        Handle async = Actor.join(both().acquireAsync(LONG));
        async.close();

        FencingToken own = LockContext.current(name() + "/b").orElseThrow().fencingToken();
        assertThat(List.of(sync, async))
                .extracting(whole -> whole.parts().get(1).fencingToken())
                .containsOnly(own);
        b().unlock();
    }

    @Test
    void whatTheAskerOwnsIsReenteredAlsoAfterAWaitForWhatComesBefore() throws Exception {
        b().lock();
        LockHandle holder = join().registry().lock(name() + "/a").acquire();
        CompletableFuture<Handle> wait = both().acquireAsync();
        awaitWaiters(1);

        holder.close();

        Handle whole = Actor.join(wait);
        assertThat(whole.parts().get(1).fencingToken())
                .isEqualTo(LockContext.current(name() + "/b").orElseThrow().fencingToken());
        whole.close();
        b().unlock();
    }

    @Test
    void partOfAWholeIsReleasedWithTheWholeOnly() throws Exception {
        try (Handle whole = both().acquire();
                LockContext.Scope scope = LockContext.open(whole)) {
            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> a().unlock());
            assertThat(whole.isHeld()).isTrue();
        }
        assertThat(registry().inspector().held()).isEmpty();
    }

    @Test
    void threadInTheScopeOfALostWholeCannotReenterIt() throws Exception {
        Handle whole = both().acquire();
        LockContext.Scope scope = LockContext.open(whole);
        forceOut(whole.parts().get(1));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> both().tryAcquire())
                .satisfies(loss -> assertThat(loss.name()).isEqualTo(b().name()));

        scope.close();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(whole::close);
        both().acquire(LONG).close();
    }

    @Test
    void scopeOfAWholeIsClosedByItsThreadOnly() throws Exception {
        Handle whole = both().acquire();
        Actor thread = actor("other thread");
        LockContext.Scope scope = LockContext.open(whole);

        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> thread.act(scope::close))
                .withMessageContaining(name() + "/a")
                .withMessageContaining(name() + "/b");

        scope.close();
        whole.close();
    }

    @Test
    void threadThatHasOnlyAHandleOfTheWholeIsAStrangerToItsParts() throws Exception {
        try (Handle whole = both().acquire()) {

            assertThat(a().tryAcquire()).isEmpty();
            assertThat(both().tryAcquire()).isEmpty();
            assertThat(whole.isHeld()).isTrue();
        }
    }

    @Test
    void interruptedThreadIsRefusedBeforeAnythingElse() {
        Actor thread = actor("interrupted");
        List<Callable<?>> forms = List.of(
                () -> both().acquire(),
                () -> both().acquire(LONG),
                () -> both().tryAcquire(),
                () -> both().tryAcquire(LONG));

        for (Callable<?> form : forms) {
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> thread.run(() -> {
                        Thread.currentThread().interrupt();
                        return form.call();
                    }));
        }

        assertThat(registry().inspector().held()).isEmpty();
        assertThat(cluster().queued(name() + "/a")).isZero();
    }

    @Test
    void upgradeWithinAWholeIsRefusedAndKeepsNothing() throws Exception {
        registry().readWriteLock(name()).readLock().lock();
        Acquirable<Handle> whole = registry()
                .allOf(registry().readWriteLock(name()).writeLock(), registry().lock("/0" + name()));

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> whole.acquire(LONG));
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Actor.join(whole.acquireAsync()));

        assertThat(registry().inspector().held()).hasSize(1);
        registry().readWriteLock(name()).readLock().unlock();
    }
}
