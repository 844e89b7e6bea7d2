package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.LockHandle;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** S9, L11 as in {@link InterruptSweepTest}, for readers, writers and permits. */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterruptSweepOfKindsTest {

    private static final String NAME = StepSweep.NAME;

    @RegisterExtension
    final StepSweep sweep = new StepSweep();

    /** What is wanted, and what somebody else has who is in its way. */
    static Stream<Arguments> wishes() {
        return Stream.of(
                arguments(Wish.TO_READ, Wish.TO_WRITE),
                arguments(Wish.TO_WRITE, Wish.TO_READ),
                arguments(Wish.permits(2, 3), Wish.permits(2, 3)));
    }

    @ParameterizedTest
    @MethodSource("wishes")
    void interruptAtEachStepOfTakingWhatIsFree(Wish wish) throws Exception {
        int steps = sweep.interrupting(() -> takeAndGiveBack(wish));

        assertThat(steps).isGreaterThanOrEqualTo(5);
    }

    @ParameterizedTest
    @MethodSource("wishes")
    void interruptAtEachStepOfAFailedTry(Wish wish, Wish obstacle) throws Exception {
        try (LockHandle holder = obstacle.acquire(sweep.other(), NAME)) {

            int steps = sweep.sweep(() -> wish.attempt(sweep.registry(), NAME), Actor::interrupt, () -> {
                assertThat(holder.isHeld()).isTrue();
                assertThat(Leftovers.seats(sweep.server())).hasSize(1);
            });

            assertThat(steps).isGreaterThanOrEqualTo(4);
        }
    }

    @ParameterizedTest
    @MethodSource("wishes")
    void interruptAtEachStepOfWaitingBehindAHolder(Wish wish, Wish obstacle) throws Exception {
        int steps = sweep.interruptingBehind(() -> obstacle.acquire(sweep.other(), NAME), () -> takeAndGiveBack(wish));

        assertThat(steps).isGreaterThanOrEqualTo(9);
    }

    @Test
    void interruptAtEachStepOfADowngrade() throws Exception {
        int steps = sweep.interrupting(this::downgrade);

        assertThat(steps).isGreaterThanOrEqualTo(7);
    }

    @ParameterizedTest
    @MethodSource("wishes")
    void closeOfTheRegistryAtEachStepOfTakingAndReleasing(Wish wish) throws Exception {
        int steps = sweep.closing(() -> takeAndGiveBack(wish));

        assertThat(steps).isGreaterThanOrEqualTo(4);
    }

    @Test
    void closeOfTheRegistryAtEachStepOfADowngrade() throws Exception {
        int steps = sweep.closing(this::downgrade);

        assertThat(steps).isGreaterThanOrEqualTo(6);
    }

    private LockHandle takeAndGiveBack(Wish wish) throws InterruptedException {
        LockHandle handle = wish.acquire(sweep.registry(), NAME);
        handle.close();
        return handle;
    }

    private LockHandle downgrade() throws InterruptedException {
        ClusterReadWriteLock lock = sweep.registry().readWriteLock(NAME);
        lock.writeLock().lockInterruptibly();
        LockHandle reading;
        try {
            reading = lock.readLock().acquire();
        } finally {
            lock.writeLock().unlock();
        }
        reading.close();
        return reading;
    }
}
