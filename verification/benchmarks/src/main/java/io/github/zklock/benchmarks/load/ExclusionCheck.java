package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Held;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Checks that a measured lock excludes other holders. Each lock has a word in a file that all processes of a system
 * map; a holder increments the word, and decrements it before the release. A holder that should have been excluded ends
 * its process.
 */
final class ExclusionCheck {

    private static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private static final int LOCKS = 1024;
    // a cache line each, so that locks do not slow each other
    private static final int BYTES_EACH = 64;

    /** A writer counts as more readers than there can be. */
    private static final int WRITER = 1 << 20;

    private final ByteBuffer file;

    /** @param path an empty file, or the file of another process with the same locks */
    ExclusionCheck(Path path) throws IOException {
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file = channel.map(MapMode.READ_WRITE, 0, (long) LOCKS * BYTES_EACH);
        }
    }

    /** Checks an exclusive lock. */
    LockAdapter exclusive(int lock, LockAdapter adapter) {
        return permit(lock, 1, adapter);
    }

    /** Checks a semaphore with this many permits. */
    LockAdapter permit(int lock, int of, LockAdapter adapter) {
        return new CheckedLock(adapter, lock, 1, of);
    }

    /** Checks a read lock. */
    LockAdapter reading(int lock, LockAdapter adapter) {
        return new CheckedLock(adapter, lock, 1, WRITER - 1);
    }

    /** Checks a write lock. */
    LockAdapter writing(int lock, LockAdapter adapter) {
        return new CheckedLock(adapter, lock, WRITER, WRITER);
    }

    private final class CheckedLock implements LockAdapter {

        private final LockAdapter adapter;
        private final int word;
        private final int weight;
        private final int most;

        /** @param most the largest weight of all holders together */
        CheckedLock(LockAdapter adapter, int lock, int weight, int most) {
            if (lock < 0 || lock >= LOCKS) {
                throw new IllegalArgumentException("No lock " + lock + " among " + LOCKS);
            }
            this.adapter = adapter;
            this.word = lock * BYTES_EACH;
            this.weight = weight;
            this.most = most;
        }

        @Override
        public Held acquire() throws Exception {
            return enter(adapter.acquire());
        }

        @Override
        public Optional<Held> tryAcquire() throws Exception {
            return adapter.tryAcquire().map(this::enter);
        }

        private Held enter(Held held) {
            int there = (int) WORDS.getAndAdd(file, word, weight) + weight;
            if (there > most) {
                throw new IllegalStateException("Others hold the lock as well: weight " + there + ", at most " + most);
            }
            return () -> {
                WORDS.getAndAdd(file, word, -weight);
                held.close();
            };
        }
    }
}
