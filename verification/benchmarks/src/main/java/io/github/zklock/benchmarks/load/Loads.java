package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Contenders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** All loads, by name. */
public final class Loads {

    /** The argument with the file of the {@link ExclusionCheck}. */
    public static final String CHECK_FILE = "check";

    private Loads() {}

    static Load open(Contenders system, Contender contender, String servers, String name, List<String> words)
            throws Exception {
        Arguments arguments = Arguments.parse(words);
        return switch (name) {
            case "turns" -> new Turns(contender, check(arguments), arguments);
            case "tries" -> new Tries(contender, system.open(servers));
            case "line" -> new WaiterQueue(contender, check(arguments), arguments);
            case "first" -> new FirstLocks(contender, check(arguments), arguments);
            case "names" -> new OneTimeNames(contender, arguments);
            case "holds" -> new Holds(contender, arguments);
            case "virtual" -> new VirtualThreads(contender, check(arguments), arguments);
            default -> throw new IllegalArgumentException("No load '" + name + "'");
        };
    }

    private static ExclusionCheck check(Arguments arguments) throws IOException {
        return new ExclusionCheck(Path.of(arguments.text(CHECK_FILE)));
    }
}
