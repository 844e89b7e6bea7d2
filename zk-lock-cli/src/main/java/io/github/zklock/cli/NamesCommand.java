package io.github.zklock.cli;

import io.github.zklock.LockInspector;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.LockName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            description = "Print how many hold each lock and how many wait for it.")
    private boolean withQueues;

    @Mixin
    private final Output output = new Output();

    @Override
    public Integer call() throws InterruptedException {
        try (Servers.Connection connection = connect()) {
            LockInspector inspector = connection.locks().inspector();
            List<Map<String, Object>> locks = new ArrayList<>();
            List<LockName> page = inspector.names(prefix, "", PAGE);
            while (!page.isEmpty()) {
                for (LockName name : page) {
                    show(name.value(), inspector, locks);
                }
                page = inspector.names(prefix, page.get(page.size() - 1).value(), PAGE);
            }
            if (output.isJson()) {
                Output.print(out(), locks);
            }
            return 0;
        }
    }

    /** Prints a lock as text, or adds it to the answer as JSON. */
    private void show(String name, LockInspector inspector, List<Map<String, Object>> locks)
            throws InterruptedException {
        Map<String, Object> lock = new LinkedHashMap<>();
        lock.put("name", name);
        if (withQueues) {
            List<Seat> queue = inspector.queue(name);
            long holders = queue.stream().filter(Seat::holds).count();
            lock.put("holding", holders);
            lock.put("waiting", queue.size() - holders);
        }
        if (output.isJson()) {
            locks.add(lock);
        } else if (withQueues) {
            out().printf("%s  held: %s  waiting: %s%n", lock.values().toArray());
        } else {
            out().println(name);
        }
    }
}
