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

/**
 * The clocks of a process that is started with its environment: both the monotonic and the wall clock can stand still while
 * the process is paused, as those of a virtual machine that its hypervisor stops. A preloaded library subtracts the time for
 * which they stood still; a C compiler builds it.
 */
public final class StoppedClock {

    private static final String SOURCE = "/stopped-clock.c";

    private final Path library;
    private final Path file;

    // what the process reads before this instant of its own clock was written before the clocks stood still
    private volatile long stoodStillAt = Long.MAX_VALUE;
    private volatile long behind;

    private StoppedClock(Path library, Path file) {
        this.library = library;
        this.file = file;
    }

    /** Clocks whose state is kept in a folder; none if the library cannot be built here. */
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

    /**
     * Lets both clocks have stood still from one instant to another, during which the process was paused. To be called once,
     * before the process goes on.
     */
    public void standStill(long from, long until) {
        stoodStillAt = from;
        behind = until - from;
        write(until - from);
    }

    /** The right time at which the process read this time from its monotonic clock. */
    public long rightTime(long nanos) {
        return nanos >= stoodStillAt ? nanos + behind : nanos;
    }

    /** What the processes that have it must find in their environment. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "FAULTS_CLOCK", file.toString());
    }

    /** For how long the clocks stood still. */
    public Duration behind() {
        return Duration.ofNanos(behind);
    }

    // in place, as the process has mapped the file
    private void write(long nanos) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        try {
            Files.write(file, bytes.putLong(nanos).array(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
