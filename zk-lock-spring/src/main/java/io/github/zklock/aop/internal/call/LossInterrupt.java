package io.github.zklock.aop.internal.call;

import io.github.zklock.Handle;
import io.github.zklock.Registration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts a thread if the lock under which it works is lost. After {@link #disarm()}, the thread is not interrupted.
 * A pending interrupt is cleared by {@code disarm()}.
 *
 * <p>Not guaranteed: if other code interrupts the same thread during the same hold, {@code disarm()} can clear that
 * interrupt too.
 */
final class LossInterrupt {

    private enum State {
        ARMED,
        FIRED,
        DISARMED
    }

    private final Thread thread = Thread.currentThread();
    /** Guards the state and the delivery of the interrupt: {@code disarm()} waits for an interrupt in progress. */
    private final ReentrantLock change = new ReentrantLock();

    /**
     * <pre>
     * ARMED -&gt; FIRED      the lock is lost
     * any -&gt; DISARMED     the work has ended
     * </pre>
     */
    private State state = State.ARMED;

    private Registration registration = () -> {};

    private LossInterrupt() {}

    /** Creates an interrupt of the current thread for the loss of this hold. */
    static LossInterrupt on(Handle handle) {
        LossInterrupt interrupt = new LossInterrupt();
        interrupt.registration = handle.onLost(interrupt::fire);
        return interrupt;
    }

    private void fire() {
        change.lock();
        try {
            if (state == State.ARMED) {
                state = State.FIRED;
                thread.interrupt();
            }
        } finally {
            change.unlock();
        }
    }

    /** Ends the interrupt. To be called on the interrupted thread itself. */
    void disarm() {
        registration.close();
        change.lock();
        try {
            if (state == State.FIRED) {
                // clear the interrupt: the next work on this thread is not affected by the loss
                Thread.interrupted();
            }
            state = State.DISARMED;
        } finally {
            change.unlock();
        }
    }
}
