package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clock of processes that are started with its environment. It can be set while they run, and shows the right
 * time until then; their monotonic clock is not touched.
 */
public final class WallClock {

    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final Path LIBRARY = Path.of("faketime", "libfaketimeMT.so.1");

    private final Path library;
    private final Path file;

    private WallClock(Path library, Path file) {
        this.library = library;
        this.file = file;
    }

    /** One that keeps its time in a folder; none where libfaketime is missing. */
    public static Optional<WallClock> in(Path folder) {
        return library().map(library -> {
            WallClock clock = new WallClock(library, folder.resolve("wall-clock"));
            clock.set(Duration.ZERO);
            return clock;
        });
    }

    /** Lets it be so far ahead of the right time, or behind it. */
    public void set(Duration ahead) {
        Path draft = file.resolveSibling("wall-clock.draft");
        try {
            // moved: whoever asks for the time must never read half of it
            Files.writeString(draft, "%+d".formatted(ahead.toSeconds()));
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the processes that have it must find in their environment. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // it would take the JVM's monotonic waits for waits by the wall clock, and end them at once
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    private static Optional<Path> library() {
        try (Stream<Path> folders = Files.list(LIBRARIES)) {
            return folders.map(folder -> folder.resolve(LIBRARY))
                    .filter(Files::isReadable)
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
