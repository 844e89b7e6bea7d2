package io.github.zklock.autoconfigure.embedded;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * The folder of one server. Two locks in one file keep others off it: one while a server is being looked for or started,
 * so that of two instances that start at once the second finds the first, and one while a server uses the data. They end
 * with the process, whatever happens to it.
 */
final class ServerDirectory implements AutoCloseable {

    private static final String LOCK_FILE = "server.lock";
    private static final long STARTING = 0;
    private static final long IN_USE = 1;
    private static final int SNAPSHOTS_KEPT = 3;

    /** File locks belong to a JVM, so that they do not keep the contexts of one JVM apart. Guards: the STARTING region. */
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

    /** A folder that keeps its data. */
    static ServerDirectory at(Path path) throws IOException {
        return new ServerDirectory(path.toAbsolutePath().normalize(), false);
    }

    /** A folder that keeps its data and that no other user can read or prepare, wherever it lies. */
    static ServerDirectory ofThisUser(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            createForThisUserAlone(path);
        }
        // not by user.name, which is "?" in a container without an entry for the user
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

    /** A folder that {@link #close()} deletes. */
    static ServerDirectory temporary() throws IOException {
        return new ServerDirectory(Files.createTempDirectory("zk-lock-embedded"), true);
    }

    Path path() {
        return path;
    }

    /** Runs the work while no other instance looks for or starts a server on this folder. */
    <T> T alone(Work<T> work) throws IOException {
        STARTING_HERE.lock();
        try (FileLock alone = lockFile.lock(STARTING, 1, false)) {
            return work.run();
        } finally {
            STARTING_HERE.unlock();
        }
    }

    /** Takes the data for a server, until {@link #close()}; false if another server has it. */
    boolean claim() throws IOException {
        try {
            inUse = lockFile.tryLock(IN_USE, 1, false);
        } catch (OverlappingFileLockException usedInThisJvm) {
            return false;
        }
        return inUse != null;
    }

    /** Deletes what earlier runs left behind and no server will read again. */
    void tidy() throws IOException {
        try (DirectoryStream<Path> written = Files.newDirectoryStream(path, "zookeeper.configuration*.properties")) {
            for (Path each : written) {
                Files.delete(each);
            }
        }
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

    /** What is done with a folder. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException;
    }
}
