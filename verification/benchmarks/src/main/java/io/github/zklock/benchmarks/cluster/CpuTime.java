package io.github.zklock.benchmarks.cluster;

import java.time.Duration;
import java.util.List;

/** The time that processors have spent on some processes, which is what counts where all of them share few processors. */
public final class CpuTime {

    private final List<ProcessHandle> processes;

    public CpuTime(List<ProcessHandle> processes) {
        this.processes = List.copyOf(processes);
    }

    /** Since they were started, to within some ten milliseconds. */
    public Duration spent() {
        return processes.stream()
                .map(process -> process.info()
                        .totalCpuDuration()
                        .orElseThrow(() -> new IllegalStateException("Nobody says what " + process + " has spent")))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
