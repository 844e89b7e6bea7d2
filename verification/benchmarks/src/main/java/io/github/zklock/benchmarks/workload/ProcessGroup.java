package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Traffic;
import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.fixture.Closing;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Processes under load at the same time. */
final class ProcessGroup implements Measurement {

    private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    private final List<LoadProcess> processes;
    private final List<ProcessHandle> servers;

    /** @param servers the server processes whose CPU time counts */
    ProcessGroup(List<LoadProcess> processes, List<ProcessHandle> servers) {
        this.processes = List.copyOf(processes);
        this.servers = List.copyOf(servers);
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
        double byServers = -cpuMicros(servers.stream());
        double byClients = -cpuMicros(processes.stream().map(LoadProcess::handle));
        for (LoadProcess process : processes) {
            process.run(time);
        }
        List<Figures> all = new ArrayList<>();
        for (LoadProcess process : processes) {
            all.add(process.figures());
        }
        byServers += cpuMicros(servers.stream());
        byClients += cpuMicros(processes.stream().map(LoadProcess::handle));
        Traffic traffic = traffic().since(before);
        Figures figures = Figures.together(all);
        if (figures.has(Figure.SECONDS)) {
            double seconds = figures.get(Figure.SECONDS);
            return figures.and(Figure.REQUESTS_PER_SECOND, traffic.requests() / seconds)
                    .and(Figure.BYTES_PER_SECOND, traffic.bytes() / seconds);
        }
        double count = figures.get(Figure.COUNT);
        return figures.and(Figure.CPU_SERVERS, byServers / count)
                .and(Figure.CPU_CLIENTS, byClients / count)
                .and(Figure.CPU_EACH, (byServers + byClients) / count)
                .and(Figure.REQUESTS, traffic.requests() / count)
                .and(Figure.EVENTS, traffic.events() / count)
                .and(Figure.BYTES, traffic.bytes() / count);
    }

    @Override
    public void close() {
        Closing.together(processes);
    }

    private Traffic traffic() {
        return processes.stream().map(LoadProcess::traffic).reduce(Traffic.NONE, Traffic::plus);
    }

    /** Returns the CPU time since the start of the processes, to within about 10 ms. */
    private static double cpuMicros(Stream<ProcessHandle> processes) {
        return processes
                .mapToDouble(process -> process.info()
                                .totalCpuDuration()
                                .orElseThrow(() -> new IllegalStateException("No CPU time of " + process))
                                .toNanos()
                        / NANOS_PER_MICRO)
                .sum();
    }
}
