package com.example.ordershop.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The folder of a stage's files: deleted when it is closed, at the latest by a hook of this JVM. */
record StageFolder(Path path) implements AutoCloseable {

    private static final Set<StageFolder> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(StageFolder::closeAll, "delete-folders"));
    }

    static StageFolder create() {
        try {
            StageFolder folder = new StageFolder(Files.createTempDirectory("ordershop-demonstration"));
            OPEN.add(folder);
            return folder;
        } catch (IOException e) {
            throw new StageException("No folder for the servers' files: " + e.getMessage(), e);
        }
    }

    /** Deletes it with all that is in it, as far as that is possible. */
    @Override
    public void close() {
        OPEN.remove(this);
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> children = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : children) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException stillWrittenTo) {
            // it is in the system's folder of temporary files
        }
    }

    private static void closeAll() {
        // who writes there has to be gone first
        ChildJvm.closeAll();
        OPEN.forEach(StageFolder::close);
    }
}
