package io.github.zklock.faults.cluster;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Holds back the messages of one direction while it is shut. Thread-safe. */
final class MessageGate {

    // guards: shut, passes
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    // each lets all messages pass up to the next one that matches
    private final Deque<Predicate<WireRequest>> passes = new ArrayDeque<>();
    private boolean shut;

    /** Holds messages back from now on. */
    void shut() {
        lock.lock();
        try {
            shut = true;
            passes.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Lets messages pass until this many of them match. */
    void pass(Predicate<WireRequest> last, int count) {
        lock.lock();
        try {
            passes.addAll(Collections.nCopies(count, last));
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void open() {
        lock.lock();
        try {
            shut = false;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when this message may pass. */
    void awaitPassage(WireRequest message) throws InterruptedException {
        lock.lock();
        try {
            while (shut) {
                Predicate<WireRequest> pass = passes.peek();
                if (pass != null) {
                    if (pass.test(message)) {
                        passes.remove();
                    }
                    return;
                }
                moved.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
