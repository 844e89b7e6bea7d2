package io.github.zklock.faults.cluster;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Where messages that go one way pile up while it is shut. Thread-safe. */
final class MessageGate {

    // guards: shut, passes
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    // each for all messages up to the next one that is like this
    private final Deque<Predicate<WireRequest>> passes = new ArrayDeque<>();
    private boolean shut;

    /** Lets messages pile up from now on. */
    void shut() {
        lock.lock();
        try {
            shut = true;
            passes.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Lets so many more of these go on, and whatever comes before the last of them. */
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

    /** Returns when this message may go on. */
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
