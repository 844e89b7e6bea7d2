package com.example.ordershop.demo.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** A directory that is deleted when it is closed, or by a shutdown hook of this JVM. */
record TemporaryFolder(Path path) implements AutoCloseable {

    private static final Set<TemporaryFolder> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(TemporaryFolder::closeAll, "delete-folders"));
    }

    static TemporaryFolder create() {
        try {
            TemporaryFolder folder = new TemporaryFolder(Files.createTempDirectory("ordershop-demonstration"));
            OPEN.add(folder);
            return folder;
        } catch (IOException e) {
            throw new ScenarioException("Cannot create a temporary directory: " + e.getMessage(), e);
        }
    }

    /** Deletes the directory and its files, as far as possible. */
    @Override
    public void close() {
        OPEN.remove(this);
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> children = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : children) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException stillWrittenTo) {
            // the operating system cleans its temporary directory
        }
    }

    private static void closeAll() {
        // child processes write to these files: end them first
        ChildJvm.closeAll();
        OPEN.forEach(TemporaryFolder::close);
    }
}
