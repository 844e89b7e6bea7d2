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
 * Sees whether a lock is what it is measured as. Each lock has a word of a file that all processes of a system have mapped;
 * whoever comes to hold it counts up, and whoever gives it back counts down. One who should not be there ends its process.
 */
final class ExclusionCheck {

    private static final VarHandle WORDS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private static final int LOCKS = 1024;
    // a cache line each, so that locks are not slowed by their neighbours
    private static final int BYTES_EACH = 64;

    /** A writer counts as many readers as there will never be. */
    private static final int WRITER = 1 << 20;

    private final ByteBuffer file;

    /** @param path of a file that is empty, or is another process's witness of the same locks */
    ExclusionCheck(Path path) throws IOException {
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file = channel.map(MapMode.READ_WRITE, 0, (long) LOCKS * BYTES_EACH);
        }
    }

    /** Nobody else may hold this lock meanwhile. */
    LockAdapter exclusive(int lock, LockAdapter adapter) {
        return permit(lock, 1, adapter);
    }

    /** So many may hold it together. */
    LockAdapter permit(int lock, int of, LockAdapter adapter) {
        return new CheckedLock(adapter, lock, 1, of);
    }

    /** Other readers may hold it meanwhile. */
    LockAdapter reading(int lock, LockAdapter adapter) {
        return new CheckedLock(adapter, lock, 1, WRITER - 1);
    }

    /** Nobody else may, readers included. */
    LockAdapter writing(int lock, LockAdapter adapter) {
        return new CheckedLock(adapter, lock, WRITER, WRITER);
    }

    private final class CheckedLock implements LockAdapter {

        private final LockAdapter adapter;
        private final int word;
        private final int weight;
        private final int most;

        /** @param most what all who are there may weigh, this one included */
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
                throw new IllegalStateException(
                        "Others have the lock as well: they weigh " + there + " and may weigh " + most);
            }
            return () -> {
                WORDS.getAndAdd(file, word, -weight);
                held.close();
            };
        }
    }
}
