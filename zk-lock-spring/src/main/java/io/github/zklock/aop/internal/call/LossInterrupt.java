package io.github.zklock.aop.internal.call;

import io.github.zklock.LockHandle;
import io.github.zklock.Registration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts a thread if the lock under which it works is lost. Never after {@link #disarm()}, and what it has
 * interrupted then, and nobody has noticed, is as if it had not been.
 *
 * <p>Not guaranteed: that an interrupt by somebody else, of the same thread and during the same hold, survives ours.
 */
final class LossInterrupt {

    private enum State {
        ARMED,
        FIRED,
        DISARMED
    }

    private final Thread thread = Thread.currentThread();
    /** Guards the state, and that nobody disarms while the interrupt is on its way. */
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

    /** Arms the current thread against the loss of this hold. */
    static LossInterrupt on(LockHandle handle) {
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

    /** To be called on the thread itself. */
    void disarm() {
        registration.close();
        change.lock();
        try {
            if (state == State.FIRED) {
                // of no use to whoever runs on this thread next
                Thread.interrupted();
            }
            state = State.DISARMED;
        } finally {
            change.unlock();
        }
    }
}
