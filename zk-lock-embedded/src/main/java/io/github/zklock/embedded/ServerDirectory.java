package io.github.zklock.embedded;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * The folder of one server. Two file locks exclude other processes: one while a server is searched for or started, and
 * one while a server uses the data. If two instances start at once, the second one therefore finds the server of the
 * first. The operating system releases the file locks when the process ends.
 */
final class ServerDirectory implements AutoCloseable {

    private static final String LOCK_FILE = "server.lock";
    private static final long STARTING = 0;
    private static final long IN_USE = 1;
    private static final int SNAPSHOTS_KEPT = 3;

    /** File locks belong to a JVM and do not exclude contexts of the same JVM. Guards: the STARTING region. */
    private static final ReentrantLock STARTING_HERE = new ReentrantLock();

    private final Path path;
    private final boolean temporary;
    private final FileChannel lockFile;
    private @Nullable FileLock inUse;

    private ServerDirectory(Path path, boolean temporary) throws IOException {
        this.path = path;
        this.temporary = temporary;
        Files.createDirectories(path);
        this.lockFile = FileChannel.open(
                path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Opens a folder that keeps its data. */
    static ServerDirectory at(Path path) throws IOException {
        return new ServerDirectory(path.toAbsolutePath().normalize(), false);
    }

    /**
     * Opens a folder that keeps its data. Fails if another user owns it, and permits access only to this user if it
     * creates it.
     */
    static ServerDirectory ofThisUser(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            createForThisUserAlone(path);
        }
        // compares owners of files: user.name is "?" in a container without an entry for the user
        Path probe = Files.createTempFile(path, "owner", null);
        try {
            if (!Files.getOwner(probe).equals(Files.getOwner(path))) {
                throw new AccessDeniedException(path.toString(), null, "it belongs to another user");
            }
        } finally {
            Files.delete(probe);
        }
        return at(path);
    }

    private static void createForThisUserAlone(Path path) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(path);
        }
    }

    /** Creates a folder that {@link #close()} deletes. */
    static ServerDirectory temporary() throws IOException {
        return new ServerDirectory(Files.createTempDirectory("zk-lock-embedded"), true);
    }

    Path path() {
        return path;
    }

    /** Runs the work while no other instance searches for or starts a server on this folder. */
    <T> T alone(Work<T> work) throws IOException {
        STARTING_HERE.lock();
        try (FileLock alone = lockFile.lock(STARTING, 1, false)) {
            return work.run();
        } finally {
            STARTING_HERE.unlock();
        }
    }

    /** Reserves the data for a server until {@link #close()}. Returns false if another server uses the data. */
    boolean claim() throws IOException {
        try {
            inUse = lockFile.tryLock(IN_USE, 1, false);
        } catch (OverlappingFileLockException usedInThisJvm) {
            return false;
        }
        return inUse != null;
    }

    /** Deletes files of earlier runs that no server reads again. */
    void tidy() throws IOException {
        File data = data().toFile();
        if (new File(data, "version-2").isDirectory()) {
            PurgeTxnLog.purge(data, data, SNAPSHOTS_KEPT);
        }
    }

    Path data() {
        return path.resolve("data");
    }

    @Override
    public void close() {
        try {
            lockFile.close();
            if (temporary) {
                FileSystemUtils.deleteRecursively(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Folder " + path + " of the embedded ZooKeeper server could not be released", e);
        }
    }

    /** Work on a folder. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException;
    }
}
