package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.fixture.Actor;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Who owns a lock, from where to where, and what {@link LockRegistry#executeLocked} promises. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class ScopeContract extends Contract {

    @Test
    void actionRunsUnderTheLockAndItsResultIsReturned() throws Exception {
        AtomicReference<LockHandle> seen = new AtomicReference<>();

        String result = registry().executeLocked(name(), handle -> {
            seen.set(handle);
            assertThat(handle.isHeld()).isTrue();
            LockContext.assertHeld(name());
            return "result";
        });

        assertThat(result).isEqualTo("result");
        assertThat(seen.get().state()).isEqualTo(LockState.RELEASED);
        assertThat(LockContext.current()).isEmpty();
    }

    @Test
    void actionMayReturnNull() throws Exception {
        Object result = registry().executeLocked(name(), LONG, handle -> null);

        assertThat(result).isNull();
    }

    @Test
    void exceptionOfTheActionGetsOutUnchangedAndTheLockIsGivenBack() throws Exception {
        IOException failure = new IOException("of the action");

        assertThatThrownBy(() -> registry().executeLocked(name(), handle -> {
                    throw failure;
                }))
                .isSameAs(failure)
                .hasNoSuppressedExceptions();

        lock().acquire(LONG).close();
    }

    @Test
    void errorOfTheActionGetsOutUnchangedAndTheLockIsGivenBack() throws Exception {
        AssertionError failure = new AssertionError("of the action");

        assertThatThrownBy(() -> registry().executeLocked(name(), handle -> {
                    throw failure;
                }))
                .isSameAs(failure);

        lock().acquire(LONG).close();
    }

    @Test
    void whatTheOwnerAsksWithinTheScopeReenters() throws Exception {
        boolean same = registry().executeLocked(name(), outer -> {
            try {
                lock().lock();
                LockHandle asked = lock().tryAcquire().orElseThrow();
                LockHandle acquired = lock().acquire();
                LockHandle timed = lock().acquire(LONG);
                boolean equal = registry()
                                .executeLocked(
                                        name(), inner -> inner.fencingToken().equals(outer.fencingToken()))
                        && asked.fencingToken().equals(outer.fencingToken())
                        && acquired.fencingToken().equals(outer.fencingToken())
                        && timed.fencingToken().equals(outer.fencingToken());
                timed.close();
                acquired.close();
                asked.close();
                lock().unlock();
                return equal && outer.isHeld();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(same).isTrue();
        assertThat(registry().inspector().held()).isEmpty();
    }

    @Test
    void threadThatIsStartedWithinTheScopeIsAStranger() throws Exception {
        Actor thread = actor("started within");

        Optional<LockHandle> taken = registry().executeLocked(name(), handle -> thread.run(() -> lock().tryAcquire()));

        assertThat(taken).isEmpty();
    }

    @Test
    void otherRegistryOfTheSameThreadIsAStranger() throws Exception {
        Member other = join();

        boolean taken = registry().executeLocked(name(), handle -> lockOf(other).tryLock());

        assertThat(taken).isFalse();
    }

    @Test
    void contextTellsTheOpenScopesInnermostLast() throws Exception {
        String other = name() + "/other";
        LockRegistry registry = registry();

        registry.executeLocked(name(), outer -> {
            try {
                return registry.executeLocked(other, inner -> {
                    assertThat(LockContext.current()).containsExactly(outer, inner);
                    assertThat(LockContext.current(name())).contains(outer);
                    assertThat(LockContext.current(other.substring(1))).contains(inner);
                    return inner;
                });
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(LockContext.current()).isEmpty();
        assertThat(LockContext.current(name())).isEmpty();
    }

    @Test
    void assertHeldTellsAMissingScopeFromALoss() {
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> LockContext.assertHeld(name()))
                .withMessageContaining(name());

        lock().lock();
        assertThatCode(() -> LockContext.assertHeld(name())).doesNotThrowAnyException();
        forceOut(LockContext.current(name()).orElseThrow());

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> LockContext.assertHeld(name()));
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock().unlock());
    }

    @Test
    void everyNestedRequestAfterALossSaysThatTheLockIsLost() {
        lock().lock();
        forceOut(LockContext.current(name()).orElseThrow());

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock().lock());
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock().tryLock());
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock().acquire());
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock().tryAcquire(LONG));
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> registry().executeLocked(name(), handle -> true));
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> Actor.join(lock().acquireAsync(LONG)));
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock().unlock());
    }

    @Test
    void lossDuringAnActionThatSucceedsIsThrown() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> registry().executeLocked(name(), handle -> {
                    forceOut(handle);
                    return "done";
                }));
    }

    @Test
    void lossDuringAnActionThatFailsIsSuppressedIntoItsException() {
        IOException failure = new IOException("of the action");

        assertThatThrownBy(() -> registry().executeLocked(name(), handle -> {
                    forceOut(handle);
                    throw failure;
                }))
                .isSameAs(failure)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
    }

    @Test
    void ownershipEndsWithTheLastScopeAlsoIfAHandleKeepsTheLock() throws Exception {
        lock().lock();
        LockHandle kept = lock().acquire();

        lock().unlock();

        assertThat(lock().tryAcquire()).isEmpty();
        assertThat(kept.isHeld()).isTrue();
        kept.close();
        lock().acquire(LONG).close();
    }

    @Test
    void scopeThatIsOpenedForAHandleLetsItsThreadReenter() throws Exception {
        LockHandle handle = lock().acquire();
        Actor thread = actor("carried to");

        boolean same = thread.run(() -> {
            try (LockContext.Scope scope = LockContext.open(handle);
                    LockHandle again = lock().acquire()) {
                return again.fencingToken().equals(handle.fencingToken());
            }
        });

        assertThat(same).isTrue();
        assertThat(thread.run(() -> lock().tryAcquire())).isEmpty();
        assertThat(handle.isHeld()).isTrue();
        handle.close();
    }

    @Test
    void scopeIsClosedByItsThreadOnlyAndOnce() throws Exception {
        LockHandle handle = lock().acquire();
        Actor thread = actor("other thread");
        LockContext.Scope scope = LockContext.open(handle);

        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> thread.act(scope::close))
                .withMessageContaining(name());

        scope.close();
        assertThatCode(scope::close).doesNotThrowAnyException();
        assertThat(LockContext.current()).isEmpty();
        handle.close();
    }

    @Test
    void actionDoesNotRunWhenTheLockIsNotHadInTime() throws Exception {
        try (LockHandle holder = lockOf(join()).acquire()) {

            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> registry().executeLocked(name(), BUSY, handle -> {
                        throw new AssertionError("ran without the lock, beside " + holder);
                    }));
        }
    }

    @Test
    void actionDoesNotRunWhenItsThreadIsInterruptedBefore() throws Exception {
        LockHandle holder = lock().acquire();
        Actor thread = actor("waiter");
        Future<Object> wait = thread.start(() -> registry().executeLocked(name(), handle -> {
            throw new AssertionError("ran without the lock");
        }));
        awaitWaiters(1);

        thread.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Actor.join(wait));
        holder.close();
    }
}
