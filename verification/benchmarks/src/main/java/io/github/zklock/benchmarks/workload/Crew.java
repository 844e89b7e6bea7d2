package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Traffic;
import io.github.zklock.benchmarks.cluster.Wire;
import io.github.zklock.benchmarks.load.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Processes that work at the same time, and the wire to the servers, if there is one to listen at. */
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
        List<Traffic> before = wires.stream().map(Wire::traffic).toList();
        for (LoadProcess process : processes) {
            process.run(time);
        }
        List<Figures> all = new ArrayList<>();
        for (LoadProcess process : processes) {
            all.add(process.figures());
        }
        Figures figures = Figures.together(all);
        for (int wire = 0; wire < wires.size(); wire++) {
            Traffic traffic = wires.get(wire).traffic().since(before.get(wire));
            double count = figures.get(Figures.COUNT);
            figures = figures.and(Map.of(
                    Figures.REQUESTS, traffic.requests() / count,
                    Figures.EVENTS, traffic.events() / count,
                    Figures.BYTES, traffic.bytes() / count));
        }
        return figures;
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
