package io.github.zklock.faults.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.io.function.Uncheck;

/**
 * Clocks of a process that starts with this environment. Both its monotonic and its wall clock can stand still while it
 * is paused, like those of a suspended virtual machine. A preloaded library, which a C compiler builds, subtracts the
 * time of the stop.
 */
public final class StoppedClock {

    private static final String SOURCE = "/stopped-clock.c";

    private final Path library;
    private final Path file;

    // times of the process before this instant precede the stop
    private volatile long stoodStillAt = Long.MAX_VALUE;
    private volatile long behind;

    private StoppedClock(Path library, Path file) {
        this.library = library;
        this.file = file;
    }

    /** Creates the clocks, with their state in a folder; empty if the library cannot be built here. */
    public static Optional<StoppedClock> in(Path folder) {
        Path source = folder.resolve("stopped-clock.c");
        Path library = folder.resolve("stopped-clock.so");
        try (InputStream text = Objects.requireNonNull(StoppedClock.class.getResourceAsStream(SOURCE))) {
            Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
            SystemCommand.run("cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl");
            StoppedClock clock = new StoppedClock(library, folder.resolve("stopped-clock"));
            clock.write(0);
            return Optional.of(clock);
        } catch (IOException | UncheckedIOException | IllegalStateException noCompiler) {
            return Optional.empty();
        }
    }

    /** Sets the interval in which both clocks stood still. Called once, before the paused process is resumed. */
    public void standStill(long from, long until) {
        stoodStillAt = from;
        behind = until - from;
        write(until - from);
    }

    /** Converts a time of the process's monotonic clock to the right time. */
    public long rightTime(long nanos) {
        return nanos >= stoodStillAt ? nanos + behind : nanos;
    }

    /** Returns the environment variables for processes that use these clocks. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "FAULTS_CLOCK", file.toString());
    }

    /** Returns for how long the clocks stood still. */
    public Duration behind() {
        return Duration.ofNanos(behind);
    }

    // written in place because the process has mapped the file
    private void write(long nanos) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        bytes.putLong(nanos);
        Uncheck.run(() -> Files.write(file, bytes.array(), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }
}
