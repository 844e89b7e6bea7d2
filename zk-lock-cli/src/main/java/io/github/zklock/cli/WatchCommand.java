package io.github.zklock.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

    @Option(names = "--interval", paramLabel = "TIME", description = "The time between two looks (default: 1s).")
    private Duration interval = Duration.ofSeconds(1);

    @Option(names = "--changes", paramLabel = "N", description = "End after so many changes.")
    private @Nullable Integer changes;

    @Override
    public Integer call() throws InterruptedException {
        try (Interruption interruption = Interruption.with(() -> {}, Duration.ZERO);
                Servers.Connection connection = connect()) {
            String shown = "";
            int seen = -1;
            do {
                String now = QueueTable.of(connection.locks().inspector().queue(name));
                if (!now.equals(shown)) {
                    out().println(Instant.now().truncatedTo(ChronoUnit.SECONDS));
                    out().print(now);
                    out().println();
                    shown = now;
                    seen++;
                }
            } while ((changes == null || seen < changes) && !interruption.await(interval));
            return 0;
        }
    }
}
