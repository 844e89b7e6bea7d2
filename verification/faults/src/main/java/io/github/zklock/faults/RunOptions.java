package io.github.zklock.faults;

import io.github.zklock.faults.timeline.Timeline;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The options of the command line.
 *
 * @param time the duration of a soak; other modes ignore it
 * @param scenarios ids or names of the requested scenarios; all if empty
 * @param engine whose locks to use
 * @param planted the bug to build into our engine; none if empty
 * @param variant the variant to run, as a result line prints it; drawn by the seed if empty
 */
record RunOptions(
        Mode mode, Duration time, Set<String> scenarios, String engine, long seed, String planted, String variant) {

    static final String USAGE = """
        run [smoke|quick|all|overload|soak MINUTES|peers|planted] [options]
          smoke     the most important scenarios, once each, in a few minutes
          quick     every scenario once, without some that are long or similar (the default)
          all       every scenario with all policies, kinds of lock, surfaces, JDKs and servers
          overload  every scenario with load inside one process, in each size
          soak      scenarios drawn at random until the time is over; prints the seed
          peers     the locks of other libraries, whose known failures must be found
          planted   our locks with each planted bug, which must be found; with --planted only this bug
        options
          --scenario S3,S7     only these scenarios, by ids or names
          --engine NAME        zklock (the default), or curator or spring-integration as in peers
          --planted BUG        our locks with this bug: the scenarios should fail
          --seed N             draws other variants (default: 1; for soak: the clock)
          --variant "WORDS"    only this variant, as in brackets at the end of a result line; together with the
                               seed of that line it repeats the run
          --list               prints the scenarios and the planted bugs
          --help               prints this text\
        """;

    enum Mode {
        SMOKE,
        QUICK,
        ALL,
        OVERLOAD,
        SOAK,
        PEERS,
        PLANTED,
        LIST,
        HELP
    }

    /** Modes in which an engine of another library runs each of its scenarios once. */
    private static final Set<Mode> ONCE = EnumSet.of(Mode.SMOKE, Mode.QUICK, Mode.ALL);

    static final List<String> ENGINES = List.of(Timeline.OURS, "curator", "spring-integration");

    /**
     * Parses the words of the command line.
     *
     * @throws IllegalArgumentException if they are invalid; the message says why
     */
    static RunOptions parse(List<String> words) {
        Mode mode = Mode.QUICK;
        Duration time = Duration.ZERO;
        Set<String> scenarios = Set.of();
        String engine = Timeline.OURS;
        String planted = "";
        String variant = "";
        Long seed = null;
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "smoke", "quick", "all", "overload", "peers", "planted" ->
                    mode = Mode.valueOf(word.toUpperCase(Locale.ROOT));
                case "soak" -> {
                    mode = Mode.SOAK;
                    time = minutes(next(word, rest));
                }
                case "--list" -> mode = Mode.LIST;
                case "--help" -> mode = Mode.HELP;
                case "--scenario" -> scenarios = ids(next(word, rest));
                case "--engine" -> engine = next(word, rest);
                case "--planted" -> planted = bug(next(word, rest));
                case "--variant" -> variant = next(word, rest);
                case "--seed" -> seed = number(word, next(word, rest));
                default -> throw new IllegalArgumentException("'" + word + "' is no mode or option");
            }
        }
        if (!engine.equals(Timeline.OURS) && ONCE.contains(mode)) {
            mode = Mode.PEERS;
        }
        long chosen = seed != null ? seed : mode == Mode.SOAK ? System.currentTimeMillis() : 1;
        RunOptions options = new RunOptions(mode, time, scenarios, engine, chosen, planted, variant);
        options.requireSense();
        return options;
    }

    private void requireSense() {
        if (!ENGINES.contains(engine)) {
            throw new IllegalArgumentException("there is no engine '" + engine + "', only " + ENGINES);
        }
        if (!engine.equals(Timeline.OURS) && (!planted.isEmpty() || mode == Mode.PLANTED)) {
            throw new IllegalArgumentException("bugs can be planted in zklock only, not in " + engine);
        }
        if (mode == Mode.PLANTED && !scenarios.isEmpty()) {
            throw new IllegalArgumentException(
                    "'planted' selects the scenarios itself; instead use '--planted' with '--scenario'");
        }
        if (!variant.isEmpty() && (scenarios.isEmpty() || mode != Mode.QUICK)) {
            throw new IllegalArgumentException("'--variant' needs '--scenario', and works in the mode quick only");
        }
    }

    boolean wants(String id) {
        return scenarios.isEmpty() || scenarios.contains(id);
    }

    boolean wants(Method scenario) {
        return wants(Scenarios.id(scenario)) || scenarios.contains(scenario.getName());
    }

    /** Returns whether the mode {@code planted} checks this bug. */
    boolean includes(String bug) {
        return planted.isEmpty() || planted.equals(bug);
    }

    RunOptions with(String otherEngine) {
        return new RunOptions(mode, time, scenarios, otherEngine, seed, planted, variant);
    }

    private static String next(String word, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException("'" + word + "' needs a value");
        }
        return rest.next();
    }

    private static long number(String word, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + word + "' needs a number, not '" + value + "'", e);
        }
    }

    private static Duration minutes(String value) {
        long minutes = number("soak", value);
        if (minutes < 1) {
            throw new IllegalArgumentException("'soak' needs at least one minute, not '" + value + "'");
        }
        return Duration.ofMinutes(minutes);
    }

    private static String bug(String wanted) {
        List<String> known = PlantedBugs.ALL.stream().map(PlantedBugs.Bug::name).toList();
        if (!known.contains(wanted)) {
            throw new IllegalArgumentException("there is no planted bug '" + wanted + "', only " + known);
        }
        return wanted;
    }

    private static Set<String> ids(String list) {
        Set<String> wanted = new LinkedHashSet<>(Arrays.asList(list.split(",", -1)));
        Set<String> known = new LinkedHashSet<>();
        Set<String> names = new LinkedHashSet<>();
        for (Method scenario : Scenarios.all()) {
            known.add(Scenarios.id(scenario));
            names.add(scenario.getName());
        }
        for (String scenario : wanted) {
            if (!known.contains(scenario) && !names.contains(scenario)) {
                throw new IllegalArgumentException("there is no scenario '" + scenario + "', only " + known
                        + " and their names, which --list prints");
            }
        }
        return wanted;
    }
}
