package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.io.function.Uncheck;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * The disk of a server. It is slow or full while a file in the server's folder says so. The server reads that file at
 * each commit, and continues at once when the disk is healed.
 */
public final class FaultyDisk extends FileTxnSnapLog {

    private static final String SLOW = "slow-disk";
    private static final String FULL = "full-disk";
    private static final long BETWEEN_LOOKS_NANOS = 5_000_000L;

    private final Path folder;

    /** @param folder contains its logs and snapshots */
    FaultyDisk(Path folder) throws IOException {
        super(folder.toFile(), folder.toFile());
        this.folder = folder;
    }

    /** Makes each commit take this long. */
    public static void slow(Path folder, Duration time) {
        write(folder.resolve(SLOW), Long.toString(time.toMillis()));
    }

    /** Makes each commit fail. */
    public static void fill(Path folder) {
        write(folder.resolve(FULL), "");
    }

    static void heal(Path folder) {
        Uncheck.run(() -> Files.deleteIfExists(folder.resolve(SLOW)));
        Uncheck.run(() -> Files.deleteIfExists(folder.resolve(FULL)));
    }

    @Override
    public void commit() throws IOException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < slownessNanos()) {
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
        if (Files.exists(folder.resolve(FULL))) {
            throw new IOException("No space left on device");
        }
        super.commit();
    }

    private long slownessNanos() throws IOException {
        try {
            return Duration.ofMillis(Long.parseLong(Files.readString(folder.resolve(SLOW))))
                    .toNanos();
        } catch (NoSuchFileException fast) {
            return 0;
        }
    }

    /** Replaces a file atomically: no process must read half of it. */
    static void write(Path file, String content) {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        Uncheck.run(() -> Files.writeString(draft, content));
        Uncheck.run(() -> Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE));
    }
}
