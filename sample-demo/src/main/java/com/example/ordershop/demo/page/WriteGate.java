package com.example.ordershop.demo.page;

import com.example.ordershop.statistics.StatisticsService;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A gate in front of the transactions that write statistics. While it is closed, each of them waits before it begins, under the
 * lock if there is one, so a scenario can pause or kill a shop at this point.
 */
@RestController
@RequestMapping("/gate")
class WriteGate implements TransactionExecutionListener {

    private static final String GUARDED = StatisticsService.class.getName() + ".add";

    /** @param waiting number of threads that wait at the gate */
    record State(boolean closed, int waiting) {}

    private final ReentrantLock lock = new ReentrantLock(); // guards: closed
    private final Condition opened = lock.newCondition();
    private boolean closed;

    /** Stops the transaction of the guarded method, which has acquired its lock. */
    @Override
    public void beforeBegin(TransactionExecution transaction) {
        if (transaction.getTransactionName().equals(GUARDED)) {
            pass();
        }
    }

    /** Returns at once while the gate is open; otherwise waits until it opens. */
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
