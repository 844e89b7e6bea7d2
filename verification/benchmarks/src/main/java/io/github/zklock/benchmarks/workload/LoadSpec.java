package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.CountingProxy;
import io.github.zklock.benchmarks.cluster.JvmOptions;
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
 * The processes of a measurement: their number, JVM, connection and load.
 *
 * @param proxyDelay the delay of the proxy; empty for direct connections
 * @param load the name of the load and its arguments
 */
record LoadSpec(int processes, Optional<Duration> proxyDelay, Jdk jdk, List<String> options, String load) {

    /** A long session keeps the heartbeats of waiters in a long queue rare. */
    private static final int LONG_SESSION_SECONDS = 600;

    /** Enough for the largest system, and the same for all. */
    private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

    private static final List<String> OPTIONS =
            Stream.concat(HEAP.stream(), Stream.of(JvmOptions.COMPILE_EARLY)).toList();

    private static final Duration COLD = Duration.ofSeconds(30);

    static LoadSpec of(String load) {
        return new LoadSpec(1, Optional.empty(), Jdk.own(), OPTIONS, load);
    }

    /** Returns entries with one process that starts anew in each round, with the JVM's usual options. */
    static List<Entry> fresh(String load, Contenders... systems) {
        LoadSpec spec = new LoadSpec(1, Optional.empty(), Jdk.own(), HEAP, load);
        return Stream.of(systems)
                .map(system -> new Entry(
                        system.label(),
                        system.isOurs(),
                        context -> new FreshProcess(() -> spec.group(system, context))))
                .toList();
    }

    LoadSpec times(int count) {
        return new LoadSpec(count, proxyDelay, jdk, options, load);
    }

    LoadSpec through(Duration delay) {
        return new LoadSpec(processes, Optional.of(delay), jdk, options, load);
    }

    LoadSpec on(Jdk other) {
        return new LoadSpec(processes, proxyDelay, other, options, load);
    }

    List<Entry> entries(Contenders... systems) {
        return entries(true, systems);
    }

    /** @param redis whether a Redis server is installed, which one system needs */
    List<Entry> entries(boolean redis, Contenders... systems) {
        return Stream.of(systems)
                .filter(system -> redis || system != Contenders.REDISSON)
                .map(this::entry)
                .toList();
    }

    Entry entry(Contenders system) {
        return entry(system, system.label());
    }

    /** Returns an entry with this many turns for each seat. */
    Entry withTurns(int turns) {
        return with(Contenders.TURNS, turns).entry(Contenders.BOUNDED, turns + (turns == 1 ? " turn" : " turns"));
    }

    /** Returns an entry with this time for each seat, whatever the number of turns. */
    Entry withMillis(int millis) {
        return with(Contenders.TURNS, Integer.MAX_VALUE)
                .with(Contenders.MILLIS, millis)
                .entry(Contenders.BOUNDED, millis + " ms");
    }

    /** Returns an entry with a queue of this length, in one process. */
    static Entry queue(Contenders system, int waiters) {
        LoadSpec load = of("line waiters=" + waiters)
                .through(Duration.ZERO)
                .with(Contenders.SESSION_SECONDS, LONG_SESSION_SECONDS);
        return new Entry(system.label(), system.isOurs(), context -> load.handOvers(system, context, waiters));
    }

    private LoadSpec with(String property, int value) {
        List<String> all = Stream.concat(options.stream(), Stream.of("-D" + property + "=" + value))
                .toList();
        return new LoadSpec(processes, proxyDelay, jdk, all, load);
    }

    Entry entry(Contenders system, String label) {
        return new Entry(label, system.isOurs(), context -> group(system, context));
    }

    private Measurement handOvers(Contenders system, MeasurementContext context, int waiters) throws IOException {
        List<CountingProxy> proxies = new ArrayList<>();
        LoadProcess process = process(system, context, 0, checkFile(context), proxies);
        return new HandOvers(process, proxies.get(0), context.cluster(), waiters);
    }

    private Measurement group(Contenders system, MeasurementContext context) throws Exception {
        List<CountingProxy> proxies = new ArrayList<>();
        List<LoadProcess> group = new ArrayList<>();
        Path checkFile = checkFile(context);
        try {
            for (int process = 0; process < processes; process++) {
                group.add(process(system, context, process, checkFile, proxies));
            }
        } catch (IOException | RuntimeException | Error e) {
            try (ProcessGroup begun = new ProcessGroup(group, proxies, List.of())) {
                throw e;
            }
        }
        List<ProcessHandle> servers = system == Contenders.REDISSON
                ? context.redis().orElseThrow().processes()
                : context.cluster().processes();
        return new ProcessGroup(group, proxies, servers);
    }

    private LoadProcess process(
            Contenders system, MeasurementContext context, int process, Path checkFile, List<CountingProxy> proxies)
            throws IOException {
        String name = "%s-%d".formatted(system, process + 1).toLowerCase(Locale.ROOT);
        List<String> words = new ArrayList<>(List.of(system.name(), address(system, context, process, proxies)));
        words.addAll(List.of(load.split(" ", -1)));
        words.add(Loads.CHECK_FILE + "=" + checkFile);
        List<String> all = Stream.concat(options.stream(), context.options(name, COLD).stream())
                .toList();
        return new LoadProcess(name, jdk, all, context.folder().resolve(name + ".log"), words);
    }

    private static Path checkFile(MeasurementContext context) throws IOException {
        return Files.createTempFile(context.folder(), Loads.CHECK_FILE + "-", "");
    }

    /*
     * In all systems, each process uses the same server. Requests by way of a follower take longer than those to the
     * leader: a random choice would look like a difference between systems.
     */
    private String address(Contenders system, MeasurementContext context, int process, List<CountingProxy> proxies) {
        if (system == Contenders.REDISSON) {
            return context.redis().orElseThrow().address();
        }
        List<Integer> ports = context.cluster().ports();
        int port = ports.get(process % ports.size());
        if (proxyDelay.isEmpty()) {
            return "127.0.0.1:" + port;
        }
        CountingProxy proxy = new CountingProxy(port, proxyDelay.get());
        proxies.add(proxy);
        return proxy.address();
    }
}
