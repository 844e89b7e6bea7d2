package io.github.zklock.cli;

import io.github.zklock.LockInspector.Seat;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code zk-lock watch}: prints the queue of a lock whenever it has changed. */
@Command(
        name = "watch",
        description = "Prints the queue of a lock, and again whenever it has changed, until it is interrupted.")
final class WatchCommand extends ServerCommand {

    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    @SuppressWarnings("NullAway.Init") // injected
    private String name;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description = "Time between two checks of the queue (default: 1s).")
    private Duration interval = Duration.ofSeconds(1);

    @Option(names = "--changes", paramLabel = "N", description = "End after this number of changes.")
    private @Nullable Integer changes;

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        try (Interruption interruption = Interruption.with(() -> {}, Duration.ZERO);
                Servers.Connection connection = connect()) {
            @Nullable List<Seat> shown = null;
            int seen = -1;
            do {
                List<Seat> now = connection.locks().inspector().queue(name);
                if (!now.equals(shown)) {
                    print(now);
                    shown = now;
                    seen++;
                }
            } while ((changes == null || seen < changes) && !interruption.await(interval));
            return 0;
        }
    }

    private void print(List<Seat> queue) {
        Instant time = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        if (output.isJson()) {
            Map<String, @Nullable Object> answer = Output.queue(name, queue);
            answer.put("time", time.toString());
            Output.print(out(), answer);
        } else {
            out().println(time);
            out().print(QueueTable.of(queue));
            out().println();
        }
    }
}
