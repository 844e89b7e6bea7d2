package io.github.zklock.cli;

import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockName;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code zk-lock ls}: prints the names of locks. */
@Command(name = "ls", description = "Prints the names of the locks that have a queue, or had one recently.")
final class NamesCommand extends ServerCommand {

    private static final int PAGE = 1_000;

    @Parameters(
            arity = "0..1",
            paramLabel = "PREFIX",
            defaultValue = "/",
            description = "Only names below this one (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // injected
    private String prefix;

    @Option(
            names = {"-l", "--long"},
            description =
                    "Print how many hold each lock and how many wait for it, and leave out locks without a queue.")
    private boolean withQueues;

    @Override
    public Integer call() throws InterruptedException {
        try (Servers.Connection connection = connect()) {
            LockInspector inspector = connection.locks().inspector();
            List<LockName> page = inspector.names(prefix, "", PAGE);
            while (!page.isEmpty()) {
                for (LockName name : page) {
                    print(name.value(), inspector);
                }
                page = inspector.names(prefix, page.get(page.size() - 1).value(), PAGE);
            }
            return 0;
        }
    }

    private void print(String name, LockInspector inspector) throws InterruptedException {
        if (!withQueues) {
            out().println(name);
            return;
        }
        List<Seat> queue = inspector.queue(name);
        if (!queue.isEmpty()) {
            long holders = queue.stream().filter(Seat::holds).count();
            out().printf("%s  held: %d  waiting: %d%n", name, holders, queue.size() - holders);
        }
    }
}
