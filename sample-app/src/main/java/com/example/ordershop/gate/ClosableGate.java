package com.example.ordershop.gate;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/** A gate that can be closed, so that a demonstration knows where a shop stands when it stops or kills it. */
@Component
@ConditionalOnBooleanProperty("ordershop.gate")
final class ClosableGate implements Gate {

    /** What is known of the gate. */
    record State(boolean closed, int waiting) {}

    private final ReentrantLock lock = new ReentrantLock(); // guards: closed
    private final Condition opened = lock.newCondition();
    private boolean closed;

    @Override
    public void pass() {
        lock.lock();
        try {
            while (closed) {
                opened.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    State close() {
        return set(true);
    }

    State open() {
        return set(false);
    }

    State state() {
        lock.lock();
        try {
            return new State(closed, lock.getWaitQueueLength(opened));
        } finally {
            lock.unlock();
        }
    }

    private State set(boolean close) {
        lock.lock();
        try {
            closed = close;
            if (!close) {
                opened.signalAll();
            }
            return state();
        } finally {
            lock.unlock();
        }
    }
}
