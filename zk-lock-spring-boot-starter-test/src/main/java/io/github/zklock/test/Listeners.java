package io.github.zklock.test;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import io.github.zklock.Registration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who want to be told of events, each with a bounded queue of its own. Thread-safe. */
final class Listeners {

    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);
    private static final int CAPACITY = 1024;

    private final Workers workers;
    private final List<Ear> ears = new CopyOnWriteArrayList<>();

    Listeners(Workers workers) {
        this.workers = workers;
    }

    Registration add(LockListener listener) {
        Ear ear = new Ear(listener);
        ears.add(ear);
        return () -> ears.remove(ear);
    }

    void tell(LockEvent event) {
        ears.forEach(ear -> ear.offer(event));
    }

    /** One listener, told one event at a time, in order. */
    private final class Ear {

        private final LockListener listener;
        // guards: events, busy, dropping
        private final ReentrantLock lock = new ReentrantLock();
        private final Queue<LockEvent> events = new ArrayDeque<>();
        private boolean busy;
        private boolean dropping;

        Ear(LockListener listener) {
            this.listener = listener;
        }

        void offer(LockEvent event) {
            lock.lock();
            try {
                if (events.size() < CAPACITY) {
                    events.add(event);
                } else if (!dropping) {
                    dropping = true;
                    LOG.warn("Listener {} is slower than its events: some are dropped from now on", listener);
                }
                if (!busy) {
                    busy = true;
                    workers.call(this::tellAll);
                }
            } finally {
                lock.unlock();
            }
        }

        private void tellAll() {
            for (LockEvent event = next(); event != null; event = next()) {
                try {
                    listener.onEvent(event);
                } catch (Throwable error) {
                    LOG.warn("Listener {} failed on {}", listener, event, error);
                }
            }
        }

        private @Nullable LockEvent next() {
            lock.lock();
            try {
                LockEvent event = events.poll();
                busy = event != null;
                return event;
            } finally {
                lock.unlock();
            }
        }
    }
}
