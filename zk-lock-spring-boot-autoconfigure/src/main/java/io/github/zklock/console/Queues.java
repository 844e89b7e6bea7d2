package io.github.zklock.console;

import io.github.zklock.LockInspector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queues of those locks that somebody looks at: of many the first seats, of a few more of them. The one that was not
 * looked at for longest is forgotten.
 */
final class Queues {

    /** So many seats are remembered of a queue that is looked at by itself. */
    static final int LONGEST = 200;

    /** So many seats are remembered of a row: its holders. */
    static final int HOLDERS = 3;

    private static final int ROWS = 1000;
    private static final int WHOLE_ONES = 16;

    private final LockInspector inspector;
    private final Readers readers;
    // guards: rows, whole
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Shared<Queue>> rows = new Recent(ROWS);
    private final Map<String, Shared<Queue>> whole = new Recent(WHOLE_ONES);

    Queues(LockInspector inspector, Readers readers) {
        this.inspector = inspector;
        this.readers = readers;
    }

    Shared<Queue> row(String name) {
        lock.lock();
        try {
            return rows.computeIfAbsent(name, key -> new Shared<>(() -> readRow(key), readers));
        } finally {
            lock.unlock();
        }
    }

    Shared<Queue> whole(String name) {
        lock.lock();
        try {
            return whole.computeIfAbsent(name, key -> new Shared<>(() -> read(key, LONGEST), readers));
        } finally {
            lock.unlock();
        }
    }

    /** Has it read again, because it has just been changed. */
    void forget(String name) {
        lock.lock();
        try {
            rows.remove(name);
            whole.remove(name);
        } finally {
            lock.unlock();
        }
    }

    /** A long queue is not read twice: once for its row and once by itself. */
    private Queue readRow(String name) throws InterruptedException {
        Optional<Queue> known = knownWhole(name).flatMap(Shared::fresh);
        return known.isPresent() ? known.get().first(HOLDERS) : read(name, HOLDERS);
    }

    private Optional<Shared<Queue>> knownWhole(String name) {
        lock.lock();
        try {
            return Optional.ofNullable(whole.get(name));
        } finally {
            lock.unlock();
        }
    }

    private Queue read(String name, int most) throws InterruptedException {
        NoConnectionException.checkConnected(inspector);
        return Queue.of(inspector.queue(name), most);
    }

    private static final class Recent extends LinkedHashMap<String, Shared<Queue>> {

        private static final long serialVersionUID = 1L;

        private final int most;

        Recent(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Shared<Queue>> eldest) {
            return size() > most;
        }
    }
}
