package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.CountingProxy;
import io.github.zklock.benchmarks.cluster.CpuTime;
import io.github.zklock.benchmarks.cluster.Traffic;
import io.github.zklock.benchmarks.load.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Processes under load at the same time, and the proxies to their servers, if there are any. */
final class ProcessGroup implements Measurement {

    private final List<LoadProcess> processes;
    private final List<CountingProxy> proxies;
    private final CpuTime cpuOfServers;
    private final CpuTime cpuOfAll;

    /** @param servers the server processes whose CPU time counts */
    ProcessGroup(List<LoadProcess> processes, List<CountingProxy> proxies, List<ProcessHandle> servers) {
        this.processes = List.copyOf(processes);
        this.proxies = List.copyOf(proxies);
        List<ProcessHandle> all = new ArrayList<>(servers);
        processes.forEach(process -> all.add(process.handle()));
        this.cpuOfServers = new CpuTime(servers);
        this.cpuOfAll = new CpuTime(all);
    }

    @Override
    public void prepare() throws IOException {
        for (LoadProcess process : processes) {
            process.prepare();
        }
    }

    @Override
    public void settle(Duration time) throws IOException {
        prepare();
        run(time);
    }

    @Override
    public Figures run(Duration time) throws IOException {
        Traffic before = traffic();
        Duration servers = cpuOfServers.spent();
        Duration everybody = cpuOfAll.spent();
        for (LoadProcess process : processes) {
            process.run(time);
        }
        List<Figures> all = new ArrayList<>();
        for (LoadProcess process : processes) {
            all.add(process.figures());
        }
        Figures figures = Figures.together(all);
        if (figures.has(Figures.COUNT)) {
            double count = figures.get(Figures.COUNT);
            Duration byServers = cpuOfServers.spent().minus(servers);
            Duration byAll = cpuOfAll.spent().minus(everybody);
            figures = figures.and(Map.of(
                    Figures.CPU_SERVERS, microsEach(byServers, count),
                    Figures.CPU_CLIENTS, microsEach(byAll.minus(byServers), count),
                    Figures.CPU_EACH, microsEach(byAll, count)));
        }
        if (proxies.isEmpty()) {
            return figures;
        }
        Traffic traffic = traffic().since(before);
        return figures.and(figures.has(Figures.SECONDS) ? perSecond(figures, traffic) : each(figures, traffic));
    }

    private static double microsEach(Duration spent, double count) {
        return (double) spent.toNanos() / TimeUnit.MICROSECONDS.toNanos(1) / count;
    }

    private static Map<String, Double> each(Figures figures, Traffic traffic) {
        double count = figures.get(Figures.COUNT);
        return Map.of(
                Figures.REQUESTS, traffic.requests() / count,
                Figures.EVENTS, traffic.events() / count,
                Figures.BYTES, traffic.bytes() / count);
    }

    private static Map<String, Double> perSecond(Figures figures, Traffic traffic) {
        double seconds = figures.get(Figures.SECONDS);
        return Map.of(
                Figures.REQUESTS_PER_SECOND, traffic.requests() / seconds,
                Figures.PINGS_PER_SECOND, traffic.pings() / seconds,
                Figures.BYTES_PER_SECOND, traffic.bytes() / seconds);
    }

    private Traffic traffic() {
        return proxies.stream().map(CountingProxy::traffic).reduce(Traffic.NONE, Traffic::plus);
    }

    @Override
    public void close() throws Exception {
        Closeables.closeAll(Stream.concat(processes.stream(), proxies.stream()));
    }
}
