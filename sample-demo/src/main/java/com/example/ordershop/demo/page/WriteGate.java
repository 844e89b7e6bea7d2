package com.example.ordershop.demo.page;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * A gate between computing statistics and writing them. While it is closed, each write waits before its transaction begins, so
 * a scenario can pause or kill a shop at this point.
 */
@Aspect
@Component
@Order(0) // before the transaction of the write
class WriteGate {

    /** @param waiting number of threads that wait at the gate */
    record State(boolean closed, int waiting) {}

    private final ReentrantLock lock = new ReentrantLock(); // guards: closed
    private final Condition opened = lock.newCondition();
    private boolean closed;

    /** Returns at once while the gate is open; otherwise waits until it opens. */
    @Before("execution(* com.example.ordershop.statistics.StatisticsRepository.write(..))")
    void pass() {
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
