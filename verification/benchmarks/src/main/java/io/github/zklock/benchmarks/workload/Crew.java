package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Traffic;
import io.github.zklock.benchmarks.cluster.Wire;
import io.github.zklock.benchmarks.load.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Processes that work at the same time, and the wires to their servers, if there are any to listen at. */
final class Crew implements Player {

    private final List<LoadProcess> processes;
    private final List<Wire> wires;

    Crew(List<LoadProcess> processes, List<Wire> wires) {
        this.processes = List.copyOf(processes);
        this.wires = List.copyOf(wires);
    }

    @Override
    public void prepare() throws IOException {
        for (LoadProcess process : processes) {
            process.prepare();
        }
    }

    @Override
    public Figures run(Duration time) throws IOException {
        Traffic before = traffic();
        for (LoadProcess process : processes) {
            process.run(time);
        }
        List<Figures> all = new ArrayList<>();
        for (LoadProcess process : processes) {
            all.add(process.figures());
        }
        Figures figures = Figures.together(all);
        if (wires.isEmpty()) {
            return figures;
        }
        Traffic traffic = traffic().since(before);
        double count = figures.get(Figures.COUNT);
        return figures.and(Map.of(
                Figures.REQUESTS, traffic.requests() / count,
                Figures.EVENTS, traffic.events() / count,
                Figures.BYTES, traffic.bytes() / count));
    }

    private Traffic traffic() {
        return wires.stream().map(Wire::traffic).reduce(Traffic.NONE, Traffic::plus);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try {
            for (LoadProcess process : processes) {
                process.close();
            }
        } finally {
            wires.forEach(Wire::close);
        }
    }
}
