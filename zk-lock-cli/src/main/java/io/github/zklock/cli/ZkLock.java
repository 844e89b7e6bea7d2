package io.github.zklock.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command {@code zk-lock} with its subcommands. */
@Command(
        name = "zk-lock",
        description = "Distributed locks on Apache ZooKeeper, for scripts and other programs.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        scope = ScopeType.INHERIT,
        subcommands = {
            RunCommand.class,
            NamesCommand.class,
            QueueCommand.class,
            WatchCommand.class,
            LeaderCommand.class,
            ReleaseCommand.class,
            AutoComplete.GenerateCompletion.class
        },
        exitCodeOnInvalidInput = ExitCodes.USAGE,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            ExitCodes.NONE + ":no instance leads (leader), or no seat was released (release)",
            ExitCodes.USAGE + ":wrong arguments",
            ExitCodes.UNAVAILABLE + ":ZooKeeper could not be reached",
            ExitCodes.BROKEN + ":an error that is not expected; please report it",
            ExitCodes.BUSY + ":the lock is busy, or the job is not due",
            ExitCodes.LOST + ":the lock was lost",
            ExitCodes.DENIED + ":an access list forbids the request",
            ExitCodes.CONFIGURATION + ":a property is wrong",
            ExitCodes.NOT_STARTED + ":the command could not be started (run)",
            ExitCodes.INTERRUPTED + ":interrupted (SIGINT)",
            ExitCodes.TERMINATED + ":interrupted (SIGTERM)"
        })
public final class ZkLock {

    private ZkLock() {}

    /** Exits with one of the {@link ExitCodes}, or with the exit code of the command that it runs. */
    public static void main(String[] args) {
        System.exit(execute(unbuffered(System.out), unbuffered(System.err), args));
    }

    /**
     * Returns a writer without a buffer of its own. The buffer of a {@link PrintWriter} on a stream is flushed by {@code
     * println} only, so that a table that is printed would appear after a question on the other stream, or be lost at the
     * exit.
     */
    private static PrintWriter unbuffered(PrintStream stream) {
        return new PrintWriter(new Writer() {
            @Override
            public void write(char[] text, int from, int length) {
                stream.print(new String(text, from, length));
                stream.flush();
            }

            @Override
            public void flush() {
                stream.flush();
            }

            @Override
            public void close() {
                stream.close();
            }
        });
    }

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = new CommandLine(new ZkLock())
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                // an argument @file belongs to the command that runs
                .setExpandAtFiles(false)
                .registerConverter(Duration.class, Durations::parse)
                .setParameterExceptionHandler(ZkLock::wrongArguments)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    err.println("zk-lock: " + ExitCodes.message(failure));
                    return ExitCodes.of(failure);
                });
        // what follows the command to run belongs to that command
        Objects.requireNonNull(line.getSubcommands().get("run")).setStopAtPositional(true);
        if (args.length == 0) {
            line.usage(err);
            return ExitCodes.USAGE;
        }
        return line.execute(args);
    }

    private static int wrongArguments(ParameterException wrong, String[] args) {
        PrintWriter err = wrong.getCommandLine().getErr();
        err.println("zk-lock: " + wrong.getMessage());
        err.println("Try '" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return ExitCodes.USAGE;
    }
}
