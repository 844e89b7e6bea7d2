package io.github.zklock.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code zk-lock queue}: prints the holders and the waiters of a lock. */
@Command(
        name = "queue",
        description = "Prints the holders of a lock and its waiters, in the order in which they are served.")
final class QueueCommand extends ServerCommand {

    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    @SuppressWarnings("NullAway.Init") // injected
    private String name;

    @Override
    public Integer call() throws InterruptedException {
        try (Servers.Connection connection = connect()) {
            out().print(QueueTable.of(connection.locks().inspector().queue(name)));
            return 0;
        }
    }
}
