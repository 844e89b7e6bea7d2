package io.github.zklock.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A subcommand that connects to the servers. Its result is the exit code. */
abstract class ServerCommand implements Callable<Integer> {

    @Mixin
    private final Servers servers = new Servers();

    @Spec
    @SuppressWarnings("NullAway.Init") // injected
    private CommandSpec spec;

    final Servers.Connection connect() {
        return servers.connect(err());
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    final ParameterException wrongArguments(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
