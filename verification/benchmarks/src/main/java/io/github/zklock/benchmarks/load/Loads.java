package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Contenders;
import java.util.List;

/** What there is to do, by name. */
final class Loads {

    private Loads() {}

    static Load open(Contenders system, Contender contender, String servers, String name, List<String> words)
            throws Exception {
        Arguments arguments = Arguments.parse(words);
        return switch (name) {
            case "turns" -> new Turns(contender, arguments);
            case "tries" -> new Tries(contender, system.open(servers));
            case "line" -> new Line(contender, arguments);
            case "names" -> new Names(contender, arguments);
            case "holds" -> new Holds(contender, arguments);
            case "virtual" -> new VirtualThreads(contender, arguments);
            default -> throw new IllegalArgumentException("Nothing is done by '" + name + "'");
        };
    }
}
