package io.github.zklock.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code zk-lock queue}: prints the holders and the waiters of a lock. */
@Command(
        name = "queue",
        description = "Prints the holders of a lock and its waiters, in the order in which they are served.")
final class QueueCommand implements Callable<Integer> {

    @Mixin
    private final Servers servers = new Servers();

    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    @SuppressWarnings("NullAway.Init") // injected
    private String name;

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (Servers.Connection connection = servers.connect()) {
            spec.commandLine()
                    .getOut()
                    .print(QueueTable.of(connection.locks().inspector().queue(name)));
            return 0;
        }
    }
}
