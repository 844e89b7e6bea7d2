package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Warmth;
import io.github.zklock.benchmarks.cluster.Wire;
import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.load.Loads;
import io.github.zklock.faults.cluster.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What processes are started with, in all that are compared.
 *
 * @param wire its delay, if there is one to listen at
 * @param load and what it is told
 */
record Staff(int processes, Optional<Duration> wire, Jdk java, List<String> options, String load) {

    /** Those who wait in a long queue are to say little beside what is counted. */
    private static final int LONG_SESSION_SECONDS = 600;

    /** The heap of the largest, and for all the same. */
    private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

    private static final List<String> OPTIONS =
            Stream.concat(HEAP.stream(), Stream.of(Warmth.SOON)).toList();

    private static final Duration COLD = Duration.ofSeconds(30);

    static Staff of(String load) {
        return new Staff(1, Optional.empty(), Jdk.own(), OPTIONS, load);
    }

    /** One process that is started anew in each round, with the JVM's usual options. */
    static List<Entry> fresh(String load, Contenders... systems) {
        Staff staff = new Staff(1, Optional.empty(), Jdk.own(), HEAP, load);
        return Stream.of(systems)
                .map(system -> new Entry(
                        system.label(),
                        system.isOurs(),
                        setting -> new FreshProcess(() -> staff.crew(system, setting))))
                .toList();
    }

    Staff times(int count) {
        return new Staff(count, wire, java, options, load);
    }

    Staff through(Duration delay) {
        return new Staff(processes, Optional.of(delay), java, options, load);
    }

    Staff on(Jdk other) {
        return new Staff(processes, wire, other, options, load);
    }

    List<Entry> entries(Contenders... systems) {
        return entries(true, systems);
    }

    /** @param redis whether there is a Redis server, without which one of them cannot take part */
    List<Entry> entries(boolean redis, Contenders... systems) {
        return Stream.of(systems)
                .filter(system -> redis || system != Contenders.REDISSON)
                .map(this::entry)
                .toList();
    }

    Entry entry(Contenders system) {
        return entry(system, system.label());
    }

    /** Seats of this library with so many turns each. */
    Entry withTurns(int turns) {
        return with(Contenders.TURNS, turns).entry(Contenders.BOUNDED, turns + (turns == 1 ? " turn" : " turns"));
    }

    /** Seats of this library that are kept for so long, whatever the number of turns. */
    Entry withMillis(int millis) {
        return with(Contenders.TURNS, Integer.MAX_VALUE)
                .with(Contenders.MILLIS, millis)
                .entry(Contenders.BOUNDED, millis + " ms");
    }

    /** A queue of so many, by one process. */
    static Entry line(Contenders system, int waiters) {
        Staff staff = of("line waiters=" + waiters)
                .through(Duration.ZERO)
                .with(Contenders.SESSION_SECONDS, LONG_SESSION_SECONDS);
        return new Entry(system.label(), system.isOurs(), setting -> staff.handOvers(system, setting, waiters));
    }

    private Staff with(String property, int value) {
        List<String> told = Stream.concat(options.stream(), Stream.of("-D" + property + "=" + value))
                .toList();
        return new Staff(processes, wire, java, told, load);
    }

    private Entry entry(Contenders system, String label) {
        return new Entry(label, system.isOurs(), setting -> crew(system, setting));
    }

    private Player handOvers(Contenders system, Setting setting, int waiters) throws IOException {
        List<Wire> ways = new ArrayList<>();
        LoadProcess process = process(system, setting, 0, witness(setting), ways);
        return new HandOvers(process, ways.get(0), setting.cluster(), waiters);
    }

    private Player crew(Contenders system, Setting setting) throws Exception {
        List<Wire> ways = new ArrayList<>();
        List<LoadProcess> crew = new ArrayList<>();
        Path witness = witness(setting);
        try {
            for (int process = 0; process < processes; process++) {
                crew.add(process(system, setting, process, witness, ways));
            }
        } catch (IOException | RuntimeException | Error e) {
            try (Crew begun = new Crew(crew, ways, List.of())) {
                throw e;
            }
        }
        List<ProcessHandle> servers = system == Contenders.REDISSON
                ? setting.redis().orElseThrow().processes()
                : setting.cluster().processes();
        return new Crew(crew, ways, servers);
    }

    private LoadProcess process(Contenders system, Setting setting, int process, Path witness, List<Wire> ways)
            throws IOException {
        String name = "%s-%d".formatted(system, process + 1).toLowerCase(Locale.ROOT);
        List<String> words = new ArrayList<>(List.of(system.name(), address(system, setting, process, ways)));
        words.addAll(List.of(load.split(" ", -1)));
        words.add(Loads.WITNESS + "=" + witness);
        List<String> all = Stream.concat(options.stream(), setting.options(name, COLD).stream())
                .toList();
        return new LoadProcess(name, java, all, setting.folder().resolve(name + ".log"), words);
    }

    private static Path witness(Setting setting) throws IOException {
        return Files.createTempFile(setting.folder(), Loads.WITNESS + "-", "");
    }

    /*
     * Each process has one server, and in all systems the same: by way of a follower a request takes longer than by way of
     * the leader, and with chance to choose, that would be taken for a difference between systems.
     */
    private String address(Contenders system, Setting setting, int process, List<Wire> ways) {
        if (system == Contenders.REDISSON) {
            return setting.redis().orElseThrow().address();
        }
        List<Integer> ports = setting.cluster().ports();
        int port = ports.get(process % ports.size());
        if (wire.isEmpty()) {
            return "127.0.0.1:" + port;
        }
        Wire way = new Wire(port, wire.get());
        ways.add(way);
        return way.address();
    }
}
