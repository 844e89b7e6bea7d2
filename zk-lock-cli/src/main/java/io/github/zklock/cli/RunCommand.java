package io.github.zklock.cli;

import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Owner;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.Registration;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code zk-lock run}: runs a command under a lock.
 *
 * <pre>
 * ask -&gt; busy, unavailable: exit
 * ask -&gt; held -&gt; the command runs -&gt; ended: release, exit with its code
 *                                 -&gt; lock lost, or a signal: end the command, then as above
 * </pre>
 */
@Command(
        name = "run",
        description = {
            "Runs a command while it holds a lock. Exits with the exit code of the command.",
            "The command finds the fencing token in ZKLOCK_TOKEN, and the name of the lock in ZKLOCK_NAME. If the lock"
                    + " is lost, the command gets a signal to end (SIGTERM)."
        })
final class RunCommand extends ServerCommand {

    private static final long PATIENCE_SECONDS = 1;

    /** The longest wait for the record of a success. */
    private static final long RECORD_SECONDS = 10;

    @Mixin
    private final Claim claim = new Claim();

    @Option(
            names = "--busy-exit",
            paramLabel = "CODE",
            description = "The exit code if the lock is busy or the job is not due (default: ${DEFAULT-VALUE}).")
    private int busyExit = ExitCodes.BUSY;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            description = "The time that a command has to end after a signal, before it is killed (default: 10s).")
    private Duration grace = Duration.ofSeconds(10);

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The command and its arguments.")
    @SuppressWarnings("NullAway.Init") // injected
    private List<String> command;

    @Override
    public Integer call() throws InterruptedException, ExecutionException {
        String conflict = claim.conflict();
        if (conflict != null) {
            throw wrongArguments(conflict);
        }
        // closed last: until then, a signal does not end this process
        try (Interruption interruption = Interruption.with(Thread.currentThread()::interrupt, grace);
                Servers.Connection connection = connect()) {
            Claim.Request request = claim.of(connection.locks());
            LockHandle handle;
            try {
                handle = await(request, connection.locks());
            } catch (ExecutionException failed) {
                if (ExitCodes.of(failed) == ExitCodes.BUSY) {
                    say(ExitCodes.message(failed));
                    return busyExit;
                }
                throw failed;
            }
            return run(request, handle, interruption);
        }
    }

    /** Waits for the lock. If that takes longer, the holder is named. */
    private LockHandle await(Claim.Request request, LockRegistry locks)
            throws InterruptedException, ExecutionException {
        CompletableFuture<LockHandle> asked = request.ask();
        try {
            try {
                return asked.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException waiting) {
                nameHolders(asked, locks);
                return asked.get();
            }
        } catch (InterruptedException signal) {
            if (!asked.cancel(false) && !asked.isCompletedExceptionally()) {
                // granted at the same moment
                request.abandon(asked.join());
            }
            throw signal;
        }
    }

    /** In a thread of its own, because ZooKeeper may not answer before the wait is over. */
    private void nameHolders(CompletableFuture<LockHandle> asked, LockRegistry locks) {
        Thread naming = new Thread(
                () -> {
                    String holders = holders(locks);
                    if (!asked.isDone()) {
                        say("waiting for lock '" + claim.name() + "'" + holders);
                    }
                },
                "zk-lock-holders");
        naming.setDaemon(true);
        naming.start();
    }

    private String holders(LockRegistry locks) {
        try {
            String owners = locks.inspector().queue(claim.name()).stream()
                    .filter(Seat::holds)
                    .flatMap(seat -> seat.owner().stream())
                    .map(Owner::instance)
                    .collect(Collectors.joining(", "));
            return owners.isEmpty() ? "" : ", held by " + owners;
        } catch (LockException | InterruptedException notKnown) {
            return "";
        }
    }

    private int run(Claim.Request request, LockHandle handle, Interruption interruption) {
        GuardedProcess process;
        try {
            process = GuardedProcess.start(
                    command,
                    Map.of(
                            "ZKLOCK_NAME",
                            handle.name().value(),
                            "ZKLOCK_TOKEN",
                            Long.toString(handle.fencingToken().value())),
                    grace);
        } catch (IOException notStarted) {
            request.abandon(handle);
            say(notStarted.getMessage());
            return ExitCodes.NOT_STARTED;
        }
        interruption.onSignal(process::end);
        int code;
        try (Registration loss = handle.onLost(process::end)) {
            code = process.await();
        }
        if (code == 0) {
            recordSuccess(request, handle);
        }
        try {
            handle.close();
            return code;
        } catch (LockLostException lost) {
            say(lost.getMessage() + "; the command has ended with " + code);
            return ExitCodes.LOST;
        }
    }

    private void recordSuccess(Claim.Request request, LockHandle handle) {
        try {
            request.succeeded(handle).toCompletableFuture().get(RECORD_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | IllegalArgumentException failed) {
            say("the success was not recorded, and the command may run again: " + ExitCodes.message(failed));
        } catch (InterruptedException signal) {
            // the command has ended, and the lock is released next
            Thread.currentThread().interrupt();
        }
    }

    private void say(@Nullable String message) {
        err().println("zk-lock: " + message);
    }
}
