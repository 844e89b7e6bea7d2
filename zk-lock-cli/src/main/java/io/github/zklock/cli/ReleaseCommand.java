package io.github.zklock.cli;

import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Seat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code zk-lock release}: takes a lock from a holder that is stuck. */
@Command(
        name = "release",
        description = {
            "Takes a lock from a holder that is stuck. The holder is notified of the loss, but its work may continue"
                    + " without the lock.",
            "Shows the holder first, and asks."
        })
final class ReleaseCommand extends ServerCommand {

    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    @SuppressWarnings("NullAway.Init") // injected
    private String name;

    @Option(
            names = "--seat",
            paramLabel = "ID",
            description = "The seat of the holder, as queue prints it; needed if there are several.")
    private @Nullable String seat;

    @Option(
            names = {"-y", "--yes"},
            description = "Release without asking.")
    private boolean sure;

    @Override
    public Integer call() throws InterruptedException, IOException {
        try (Servers.Connection connection = connect()) {
            LockInspector inspector = connection.locks().inspector();
            List<Seat> holders = inspector.queue(name).stream()
                    .filter(Seat::holds)
                    .filter(holder -> seat == null || seat.equals(holder.id()))
                    .toList();
            out().print(QueueTable.of(holders));
            if (holders.isEmpty()) {
                return ExitCodes.NONE;
            }
            if (holders.size() > 1) {
                throw wrongArguments("Lock '" + name + "' has several holders; name one by --seat");
            }
            if (!sure && !isConfirmed()) {
                return ExitCodes.NONE;
            }
            boolean released = inspector.evict(name, holders.get(0).id());
            out().println(released ? "released" : "not released: the seat does not hold the lock any more");
            return released ? 0 : ExitCodes.NONE;
        }
    }

    private boolean isConfirmed() throws IOException {
        err().print("Release it? The work of the holder may continue. Type yes: ");
        String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        if (answer == null) {
            throw wrongArguments("The release was not confirmed; use --yes if you are sure");
        }
        return answer.strip().equals("yes");
    }
}
