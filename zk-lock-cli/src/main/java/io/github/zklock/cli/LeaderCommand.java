package io.github.zklock.cli;

import io.github.zklock.LockInspector.Seat;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code zk-lock leader}: prints the leader. */
@Command(name = "leader", description = "Prints the instance that leads. Exits with 1 if none does.")
final class LeaderCommand extends ServerCommand {

    @Parameters(paramLabel = "NAME", description = "The name of the leadership.")
    @SuppressWarnings("NullAway.Init") // injected
    private String name;

    @Override
    public Integer call() throws InterruptedException {
        try (Servers.Connection connection = connect()) {
            // the leader is the holder of the lock of the same name
            Optional<Seat> leader = connection.locks().inspector().queue(name).stream()
                    .filter(Seat::holds)
                    .findFirst();
            leader.ifPresent(seat ->
                    out().println(seat.owner().map(owner -> owner.instance()).orElse("session " + seat.sessionId())));
            return leader.isPresent() ? 0 : ExitCodes.NONE;
        }
    }
}
