package io.github.zklock.cli;

import io.github.zklock.LockInspector.Owner;
import io.github.zklock.LockInspector.Seat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code zk-lock leader}: prints the leader. */
@Command(name = "leader", description = "Prints the instance that leads. Exits with 1 if none does.")
final class LeaderCommand extends ServerCommand {

    @Parameters(paramLabel = "NAME", description = "The name of the leadership.")
    @SuppressWarnings("NullAway.Init") // injected
    private String name;

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        try (Servers.Connection connection = connect()) {
            // the leader is the holder of the lock of the same name
            Optional<Seat> leader = connection.locks().inspector().queue(name).stream()
                    .filter(Seat::holds)
                    .findFirst();
            if (output.isJson()) {
                Map<String, @Nullable Object> answer = new LinkedHashMap<>();
                answer.put("name", name);
                answer.put("leader", leader.map(Output::seat).orElse(null));
                Output.print(out(), answer);
            } else {
                leader.ifPresent(
                        seat -> out().println(seat.owner().map(Owner::instance).orElse("session " + seat.sessionId())));
            }
            return leader.isPresent() ? 0 : ExitCodes.NONE;
        }
    }
}
