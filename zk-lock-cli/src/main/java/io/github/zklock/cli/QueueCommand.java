package io.github.zklock.cli;

import io.github.zklock.LockInspector.Seat;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code zk-lock queue}: prints the holders and the waiters of a lock. */
@Command(
        name = "queue",
        description = "Prints the holders of a lock and its waiters, in the order in which they are served.")
final class QueueCommand extends ServerCommand {

    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    @SuppressWarnings("NullAway.Init") // injected
    private String name;

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        try (Servers.Connection connection = connect()) {
            List<Seat> queue = connection.locks().inspector().queue(name);
            if (output.isJson()) {
                Output.print(out(), Output.queue(name, queue));
            } else {
                out().print(QueueTable.of(queue));
            }
            return 0;
        }
    }
}
