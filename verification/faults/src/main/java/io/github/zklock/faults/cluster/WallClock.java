package io.github.zklock.faults.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The wall clock of processes that start with its environment. It can be set while they run, and shows the right time
 * before that; it does not change their monotonic clock.
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

    /** Creates a clock with its state in a folder; empty without libfaketime. */
    public static Optional<WallClock> in(Path folder) {
        return library().map(library -> {
            WallClock clock = new WallClock(library, folder.resolve("wall-clock"));
            clock.set(Duration.ZERO);
            return clock;
        });
    }

    /** Sets the clock ahead of the right time, or behind it. */
    public void set(Duration ahead) {
        FaultyDisk.write(file, "%+d".formatted(ahead.toSeconds()));
    }

    /** Returns the environment variables for processes that use this clock. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // otherwise monotonic waits of the JVM would count as waits by the wall clock, and end at once
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    private static Optional<Path> library() {
        return ServerRelease.contents(LIBRARIES).stream()
                .map(folder -> folder.resolve(LIBRARY))
                .filter(Files::isReadable)
                .findFirst();
    }
}
