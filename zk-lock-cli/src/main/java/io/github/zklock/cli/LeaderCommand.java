package io.github.zklock.cli;

import io.github.zklock.LockInspector.Seat;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code zk-lock leader}: prints the leader. */
@Command(name = "leader", description = "Prints the instance that leads. Exits with 1 if none does.")
final class LeaderCommand implements Callable<Integer> {

    @Mixin
    private final Servers servers = new Servers();

    @Parameters(paramLabel = "NAME", description = "The name of the leadership.")
    @SuppressWarnings("NullAway.Init") // injected
    private String name;

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (Servers.Connection connection = servers.connect()) {
            // the leader is the holder of the lock of the same name
            Optional<Seat> leader = connection.locks().inspector().queue(name).stream()
                    .filter(Seat::holds)
                    .findFirst();
            leader.ifPresent(seat -> spec.commandLine()
                    .getOut()
                    .println(seat.owner().map(owner -> owner.instance()).orElse("session " + seat.sessionId())));
            return leader.isPresent() ? 0 : ExitCodes.NONE;
        }
    }
}
