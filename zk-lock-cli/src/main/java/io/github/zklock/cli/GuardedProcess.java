package io.github.zklock.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** A command that runs under a lock, with the input and the outputs of this process. */
final class GuardedProcess {

    private final Process process;
    private final Duration grace;
    private final AtomicBoolean ending = new AtomicBoolean();

    private GuardedProcess(Process process, Duration grace) {
        this.process = process;
        this.grace = grace;
    }

    /**
     * Starts the command.
     *
     * @param grace the time from the request to end until the process is killed
     */
    static GuardedProcess start(List<String> command, Map<String, String> environment, Duration grace)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(environment);
        return new GuardedProcess(builder.start(), grace);
    }

    /** Returns the exit code. */
    int await() throws InterruptedException {
        return process.waitFor();
    }

    /** Requests the end of the process and of its descendants, and kills them after the grace time. Does not wait. */
    void end() {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.forEach(ProcessHandle::destroy);
        CompletableFuture.delayedExecutor(grace.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> all.forEach(ProcessHandle::destroyForcibly));
    }
}
