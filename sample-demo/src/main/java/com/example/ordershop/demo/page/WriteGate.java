package com.example.ordershop.demo.page;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A gate between computing statistics and writing them. While it is closed, each write waits before its transaction begins, so
 * a scenario can pause or kill a shop at this point.
 */
@Aspect
@Order(0) // before the transaction of the write
@RestController
@RequestMapping("/gate")
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

    @GetMapping
    State state() {
        lock.lock();
        try {
            return new State(closed, lock.getWaitQueueLength(opened));
        } finally {
            lock.unlock();
        }
    }

    @PostMapping("/close")
    State close() {
        return set(true);
    }

    @PostMapping("/open")
    State open() {
        return set(false);
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
