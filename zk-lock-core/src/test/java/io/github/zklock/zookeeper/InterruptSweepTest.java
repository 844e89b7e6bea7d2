package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * S9, L11: a thread is interrupted, or its registry closed, while each of its messages is held up on the way, from the
 * first request of the acquisition to the last reply of the release. Whatever comes of it, the queue is clean
 * afterwards and the next one is served.
 */
// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterruptSweepTest {

    private static final String NAME = StepSweep.NAME;

    @RegisterExtension
    final StepSweep sweep = new StepSweep();

    @Test
    void interruptAtEachStepOfTakingAFreeLock() throws Exception {
        int steps = sweep.interrupting(this::takeAndGiveBack);

        assertThat(steps).isGreaterThanOrEqualTo(5);
    }

    @Test
    void interruptAtEachStepOfAFailedTry() throws Exception {
        try (LockHandle holder = sweep.other().lock(NAME).acquire()) {

            int steps = sweep.sweep(() -> sweep.registry().lock(NAME).tryAcquire(), Actor::interrupt, () -> {
                assertThat(holder.isHeld()).isTrue();
                assertThat(Leftovers.seats(sweep.server())).hasSize(1);
            });

            assertThat(steps).isGreaterThanOrEqualTo(4);
        }
    }

    @Test
    void interruptAtEachStepOfWaitingBehindAHolder() throws Exception {
        int steps = sweep.interruptingBehind(() -> sweep.other().lock(NAME).acquire(), this::takeAndGiveBack);

        assertThat(steps).isGreaterThanOrEqualTo(9);
    }

    @Test
    void interruptAtEachStepOfALockThatIsNotInterruptibleSetsTheFlag() throws Exception {
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger flags = new AtomicInteger();

        int steps = sweep.interrupting(() -> {
            sweep.registry().lock(NAME).lock();
            taken.addAndGet(sweep.registry().inspector().held().size());
            flags.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
            sweep.registry().lock(NAME).unlock();
            return taken;
        });

        assertThat(steps).isGreaterThanOrEqualTo(5);
        assertThat(taken).hasValue(steps + 1);
        // at least while a request and a reply of taking it were held up, however many of them travel together
        assertThat(flags).hasValueGreaterThanOrEqualTo(2);
    }

    @Test
    void closeOfTheRegistryAtEachStepOfTakingAndReleasing() throws Exception {
        int steps = sweep.closing(this::takeAndGiveBack);

        assertThat(steps).isGreaterThanOrEqualTo(4);
    }

    private LockHandle takeAndGiveBack() throws InterruptedException {
        LockHandle handle = sweep.registry().lock(NAME).acquire();
        handle.close();
        return handle;
    }
}
