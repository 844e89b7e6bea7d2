package io.github.zklock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockContext;
import io.github.zklock.LockEvent;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.contract.ClusterFixture.Member;
import io.github.zklock.contract.ClusterFixture.Options;
import io.github.zklock.fixture.Actor;
import io.github.zklock.internal.Words;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a policy by name promises. */
// how a lock is taken and given back is what is tested here
@SuppressWarnings("LockNotBeforeTry")
public abstract class PolicyContract extends Contract {

    private static final LockPolicy USUAL = LockPolicy.defaults();

    @Test
    void maximumHoldIsThatOfTheName() throws Exception {
        LockRegistry registry = registry(name -> isShort(name) ? USUAL.maxHold(SHORT) : USUAL);
        LockHandle unlimited = registry.lock(name()).acquire();
        LockHandle limited = registry.lock(name() + "/short").acquire();

        await().until(() -> limited.state() == LockState.LOST);

        assertThat(unlimited.isHeld()).isTrue();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(limited::close)
                .withMessageContaining("the maximum hold of " + Words.of(SHORT));
        unlimited.close();
    }

    @Test
    void holdWarningIsThatOfTheName() throws Exception {
        Recorder told = new Recorder();
        LockRegistry registry = registry(name -> USUAL.holdWarning(isShort(name) ? SHORT : null));
        registry.addListener(told);
        LockHandle quiet = registry.lock(name()).acquire();
        LockHandle warned = registry.lock(name() + "/short").acquire();

        LockEvent.HeldLong warning = told.await(LockEvent.HeldLong.class);

        assertThat(warning.name()).isEqualTo(warned.name());
        warned.close();
        quiet.close();
        assertThat(told.all(LockEvent.HeldLong.class)).hasSize(1);
    }

    @Test
    void lockWhosePolicyFailsIsNotAcquired() throws Exception {
        IllegalArgumentException failure = new IllegalArgumentException("no such tariff");
        LockRegistry registry = registry(name -> {
            if (isShort(name)) {
                throw failure;
            }
            return USUAL;
        });
        String failing = name() + "/short";

        assertThat(List.<ThrowingCallable>of(
                        () -> registry.lock(failing).acquire(),
                        () -> registry.lock(failing).acquire(LONG),
                        () -> registry.lock(failing).tryAcquire(),
                        () -> registry.lock(failing).lock(),
                        () -> registry.lock(failing).tryLock(),
                        () -> registry.readWriteLock(failing).readLock().acquire(),
                        () -> registry.semaphore(failing, 2).acquire(),
                        () -> registry.allOf(name(), failing).acquire()))
                .allSatisfy(call -> assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(call)
                        .withCause(failure)
                        .withMessageContaining("'" + failing + "'")
                        .withMessageContaining("no such tariff"));
        assertThat(registry.inspector().awaited()).isEmpty();
        await().until(() -> registry.inspector().held().isEmpty());
        registry.lock(name()).acquire().close();
    }

    @Test
    void lockWhosePolicyFailsIsNotAcquiredAsynchronously() {
        LockRegistry registry = registry(name -> {
            throw new IllegalArgumentException("no such tariff");
        });

        CompletableFuture<LockHandle> refused = registry.lock(name()).acquireAsync();

        assertThat(refused)
                .failsWithin(LONG)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining("no such tariff");
        assertThat(registry.inspector().awaited()).isEmpty();
    }

    @Test
    void lockWithoutAPolicyIsNotAcquired() {
        LockRegistry registry = registry(name -> none());

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> registry.lock(name()).acquire())
                .withMessageContaining("'" + name() + "'")
                .withMessageContaining("returned null");
    }

    @Test
    void errorOfAPolicyIsTheCallers() {
        StackOverflowError error = new StackOverflowError("on purpose");
        LockRegistry registry = registry(name -> {
            throw error;
        });

        assertThatThrownBy(() -> registry.lock(name()).acquire()).isSameAs(error);

        assertThat(registry.inspector().awaited()).isEmpty();
    }

    @Test
    void policyIsAskedOnTheThreadOfTheCaller() {
        AtomicReference<Thread> asked = new AtomicReference<>();
        LockRegistry registry = registry(name -> {
            asked.set(Thread.currentThread());
            return USUAL;
        });
        Actor caller = actor("caller");

        caller.act(() -> registry.lock(name()).acquire().close());

        assertThat(asked).hasValue(caller.thread());
    }

    @Test
    void policyIsNotAskedAgainWhileTheLockIsHeldOrAwaited() throws Exception {
        List<LockName> asked = new CopyOnWriteArrayList<>();
        LockRegistry registry = registry(name -> {
            asked.add(name);
            return USUAL;
        });

        LockHandle holder = registry.lock(name()).acquire();
        CompletableFuture<LockHandle> wait = registry.lock(name()).acquireAsync();
        LockContext.Scope scope = LockContext.open(holder);
        registry.lock(name()).acquire().close();
        scope.close();
        holder.close();
        Actor.join(wait).close();
        assertThat(asked).containsExactly(LockName.of(name()));

        awaitQueued(0);
        registry.lock(name()).acquire().close();
        assertThat(asked).hasSize(2);
    }

    @Test
    void policyMayUseTheRegistry() throws Exception {
        AtomicReference<@Nullable LockRegistry> itself = new AtomicReference<>();
        LockRegistry registry = registry(name -> {
            LockRegistry used = itself.get();
            if (isShort(name) && used != null) {
                used.lock(name()).lock();
                used.lock(name()).unlock();
            }
            return USUAL;
        });
        itself.set(registry);

        LockHandle handle = registry.lock(name() + "/short").acquire();

        assertThat(handle.isHeld()).isTrue();
        handle.close();
    }

    private LockRegistry registry(Function<LockName, LockPolicy> policy) {
        Member member = join(Options.none().policy(policy));
        return member.registry();
    }

    private static boolean isShort(LockName name) {
        return name.value().endsWith("/short");
    }

    @SuppressWarnings("NullAway") // what a user's function may do all the same
    private static LockPolicy none() {
        return null;
    }
}
