package io.github.zklock.benchmarks.load;

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
import java.util.Objects;

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
        return checked(lock, 1, of, adapter);
    }

    /** Checks a read lock. */
    LockAdapter reading(int lock, LockAdapter adapter) {
        return checked(lock, 1, WRITER - 1, adapter);
    }

    /** Checks a write lock. */
    LockAdapter writing(int lock, LockAdapter adapter) {
        return checked(lock, WRITER, WRITER, adapter);
    }

    /** @param most the largest weight of all holders together */
    private LockAdapter checked(int lock, int weight, int most, LockAdapter adapter) {
        int word = Objects.checkIndex(lock, LOCKS) * BYTES_EACH;
        return () -> {
            AutoCloseable held = adapter.acquire();
            int there = (int) WORDS.getAndAdd(file, word, weight) + weight;
            if (there > most) {
                throw new IllegalStateException("Others hold the lock as well: weight " + there + ", at most " + most);
            }
            return () -> {
                WORDS.getAndAdd(file, word, -weight);
                held.close();
            };
        };
    }
}
