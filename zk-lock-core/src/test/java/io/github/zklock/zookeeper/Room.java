package io.github.zklock.zookeeper;

import io.github.zklock.fixture.Actor;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What a read/write lock guards. It remembers every writer who was not alone in it. */
final class Room {

    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();
    private final Queue<String> breaches = new ConcurrentLinkedQueue<>();

    // guarded by the lock under test alone: two writers at once would lose one of their marks
    private volatile int written;

    /** To be called with the read lock held. */
    void read(Actor.Step step) throws Exception {
        // first in, then the look: of two who are in together, the later one sees the other
        readers.incrementAndGet();
        check("A reader met %d writers", writers.get());
        step.run();
        readers.decrementAndGet();
    }

    /** To be called with the write lock held. */
    void write(Actor.Step step) throws Exception {
        check("A writer met %d writers", writers.getAndIncrement());
        check("A writer met %d readers", readers.get());
        int seen = written;
        step.run();
        written = seen + 1;
        writers.decrementAndGet();
    }

    /** How often it was written to, if no two writers were ever in together. */
    int written() {
        return written;
    }

    List<String> breaches() {
        return List.copyOf(breaches);
    }

    private void check(String breach, int others) {
        if (others != 0) {
            breaches.add(breach.formatted(others));
        }
    }
}
