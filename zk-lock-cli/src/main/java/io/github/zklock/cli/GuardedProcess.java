package io.github.zklock.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A command that runs under a lock, with the input and the outputs of this process. */
final class GuardedProcess {

    private final Process process;
    private final Duration grace;
    /** Completes when the command and its descendants have ended; null until their end is requested. */
    private final AtomicReference<@Nullable CompletableFuture<Void>> ending = new AtomicReference<>();

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

    /**
     * Returns the exit code, after the command has ended. If its end was requested, its descendants have ended, too. An
     * interrupt requests the end.
     */
    int await() {
        while (true) {
            try {
                int code = process.waitFor();
                CompletableFuture<Void> ended = ending.get();
                if (ended != null) {
                    ended.get();
                }
                return code;
            } catch (InterruptedException signal) {
                end();
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    /** Requests the end of the process and of its descendants, and kills them when the given time is over. Does not wait. */
    @SuppressWarnings("FutureReturnValueIgnored") // the stage completes the other one
    void end() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        if (!ending.compareAndSet(null, ended)) {
            return;
        }
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                .thenRun(() -> ended.complete(null));
        all.forEach(ProcessHandle::destroy);
        CompletableFuture.delayedExecutor(grace.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> Stream.concat(all.stream().flatMap(ProcessHandle::descendants), all.stream())
                        .forEach(ProcessHandle::destroyForcibly));
    }
}
