package io.github.zklock.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code zk-lock watch}: prints the queue of a lock whenever it has changed. */
@Command(
        name = "watch",
        description = "Prints the queue of a lock, and again whenever it has changed, until it is interrupted.")
final class WatchCommand implements Callable<Integer> {

    @Mixin
    private final Servers servers = new Servers();

    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    @SuppressWarnings("NullAway.Init") // injected
    private String name;

    @Option(names = "--interval", paramLabel = "TIME", description = "The time between two looks (default: 1s).")
    private Duration interval = Duration.ofSeconds(1);

    @Option(names = "--changes", paramLabel = "N", description = "End after so many changes.")
    private @Nullable Integer changes;

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (Interruption interruption = Interruption.with(() -> {}, Duration.ZERO);
                Servers.Connection connection = servers.connect()) {
            String shown = "";
            int seen = -1;
            do {
                String now = QueueTable.of(connection.locks().inspector().queue(name));
                if (!now.equals(shown)) {
                    out.println(Instant.now().truncatedTo(ChronoUnit.SECONDS));
                    out.print(now);
                    out.println();
                    out.flush();
                    shown = now;
                    seen++;
                }
            } while ((changes == null || seen < changes) && !interruption.await(interval));
            return 0;
        }
    }
}
