package io.github.zklock.benchmarks.cluster;

import java.time.Duration;
import java.util.List;

/** The CPU time of some processes, which matters where all of them share few cores. */
public final class CpuTime {

    private final List<ProcessHandle> processes;

    public CpuTime(List<ProcessHandle> processes) {
        this.processes = List.copyOf(processes);
    }

    /** Returns the CPU time since the start of the processes, to within about 10 ms. */
    public Duration spent() {
        return processes.stream()
                .map(process -> process.info()
                        .totalCpuDuration()
                        .orElseThrow(() -> new IllegalStateException("No CPU time of " + process)))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
