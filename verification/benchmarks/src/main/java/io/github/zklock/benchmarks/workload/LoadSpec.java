package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.cluster.CountingProxy;
import io.github.zklock.benchmarks.cluster.RedisServer;
import io.github.zklock.benchmarks.contender.Clients;
import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.load.LoadMain;
import io.github.zklock.faults.cluster.Jdk;
import io.github.zklock.faults.cluster.Jvm;
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
    private static final Duration LONG_SESSION = Duration.ofMinutes(10);

    /** Heap enough for the largest system, and the same for all. */
    private static final List<String> USUAL =
            List.of("-Xms1g", "-Xmx1g", "-Dlogback.configurationFile=benchmarks-logback.xml");

    static LoadSpec of(String load) {
        return new LoadSpec(1, Optional.empty(), Jdk.own(), USUAL, load).with(Cluster.COMPILE_EARLY);
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

    private LoadSpec with(String option) {
        List<String> all = Stream.concat(options.stream(), Stream.of(option)).toList();
        return new LoadSpec(processes, proxyDelay, jdk, all, load);
    }

    private LoadSpec withSession(Duration timeout) {
        return with("-D" + Clients.SESSION_SECONDS + "=" + timeout.toSeconds());
    }

    /** Returns an entry for each of these systems that can run here. */
    List<Entry> entries(Contenders... systems) {
        return Stream.of(systems)
                .filter(system -> system != Contenders.REDISSON || RedisServer.isInstalled())
                .map(system -> entry(system, system.label()))
                .toList();
    }

    Entry entry(Contenders system, String label) {
        return new Entry(label, context -> group(system, context));
    }

    /** Returns entries with one process that starts anew in each round, with the JVM's usual options. */
    static List<Entry> fresh(String load, Contenders... systems) {
        LoadSpec spec = new LoadSpec(1, Optional.empty(), Jdk.own(), USUAL, load);
        return Stream.of(systems)
                .map(system ->
                        new Entry(system.label(), context -> new FreshProcess(() -> spec.group(system, context))))
                .toList();
    }

    /** Returns entries with a queue of this length, in one process. */
    static List<Entry> queue(int waiters, Contenders... systems) {
        LoadSpec spec = of("line waiters=" + waiters).through(Duration.ZERO).withSession(LONG_SESSION);
        return Stream.of(systems)
                .map(system -> new Entry(
                        system.label(),
                        context -> new HandOvers(
                                spec.process(system, context, 0, checkFile(context)), context.cluster(), waiters)))
                .toList();
    }

    /** Returns an entry with a leader that is killed in each round, and a follower. */
    static Entry leaderKill(Contenders system, String label) {
        LoadSpec spec = of("candidate").withSession(LeaderKill.SESSION);
        return new Entry(label, context -> new LeaderKill(() -> spec.process(system, context, 0, checkFile(context))));
    }

    private Measurement group(Contenders system, MeasurementContext context) throws Exception {
        List<LoadProcess> group = new ArrayList<>();
        Path checkFile = checkFile(context);
        try {
            for (int process = 0; process < processes; process++) {
                group.add(process(system, context, process, checkFile));
            }
        } catch (IOException | RuntimeException | Error e) {
            group.forEach(LoadProcess::kill);
            throw e;
        }
        List<ProcessHandle> servers = system == Contenders.REDISSON
                ? context.redis().orElseThrow().processes()
                : context.cluster().processes();
        return new ProcessGroup(group, servers);
    }

    /*
     * In all systems, each process uses the same server. Requests by way of a follower take longer than those to the
     * leader: a random choice would look like a difference between systems.
     */
    private LoadProcess process(Contenders system, MeasurementContext context, int process, Path checkFile)
            throws IOException {
        List<Integer> ports = context.cluster().ports();
        int port = ports.get(process % ports.size());
        Optional<CountingProxy> proxy = proxyDelay.map(delay -> new CountingProxy(port, delay));
        String server = system == Contenders.REDISSON
                ? context.redis().orElseThrow().address()
                : proxy.map(CountingProxy::address).orElse("127.0.0.1:" + port);
        List<String> words = new ArrayList<>(List.of(system.name(), server));
        words.addAll(List.of(load.split(" ", -1)));
        words.add(LoadMain.CHECK_FILE + "=" + checkFile);
        String name = "%s-%d".formatted(system, process + 1).toLowerCase(Locale.ROOT);
        Path log = context.folder().resolve(name + ".log");
        return new LoadProcess(name, Jvm.of(jdk, List.of(), options), proxy, log, words);
    }

    private static Path checkFile(MeasurementContext context) throws IOException {
        return Files.createTempFile(context.folder(), LoadMain.CHECK_FILE + "-", "");
    }
}
