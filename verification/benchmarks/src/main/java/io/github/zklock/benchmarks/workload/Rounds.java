package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.fixture.Closing;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Measures all entries of a workload in turn, round after round, so that a slow moment of the machine does not affect a
 * single entry.
 */
public final class Rounds {

    private record OpenEntry(String label, Measurement measurement) {}

    private final MeasurementContext context;
    private final WarmUp warmUp;
    private final int count;
    private final Duration time;
    private final PrintStream progress;
    private final Random random = new Random(1);

    /**
     * @param warmUp of each entry that is measured repeatedly
     * @param time of each entry in each round
     */
    public Rounds(MeasurementContext context, WarmUp warmUp, int count, Duration time, PrintStream progress) {
        this.context = context;
        this.warmUp = warmUp;
        this.count = count;
        this.time = time;
        this.progress = progress;
    }

    /** Puts load on the servers before the first measurement: their JVMs compile as well. */
    public void warmServers(Duration time) throws Exception {
        Entry floor = LoadSpec.of("turns threads=64 claim=own").entry(Contenders.CREATE_AND_DELETE, "servers");
        try (Measurement measurement = floor.factory().open(context)) {
            measurement.prepare();
            measurement.run(time);
        }
    }

    public Outcome measure(Workload workload) throws Exception {
        Outcome outcome = new Outcome(workload);
        List<OpenEntry> entries = new ArrayList<>();
        try (AutoCloseable open = () ->
                Closing.together(entries.stream().map(OpenEntry::measurement).toList())) {
            for (Entry entry : workload.entries()) {
                entries.add(new OpenEntry(entry.label(), entry.factory().open(context)));
            }
            if (workload.isRepeated()) {
                // the first runs are slow and not measured; what is measured once warms up by itself
                warm(workload, entries);
            }
            for (int round = 0; round < Math.min(count, workload.rounds()); round++) {
                // random order: an entry may leave work for the servers to the one after it
                Collections.shuffle(entries, random);
                for (OpenEntry one : entries) {
                    one.measurement().prepare();
                    outcome.add(one.label(), one.measurement().run(time));
                    progress.print('.');
                }
            }
        }
        return outcome;
    }

    private void warm(Workload workload, List<OpenEntry> entries) throws Exception {
        for (OpenEntry one : entries) {
            one.measurement().warm(workload.cold() ? warmUp.untilFirstIdleSlice() : warmUp);
        }
        if (!workload.cold()) {
            for (OpenEntry one : entries) {
                one.measurement().settle(time);
            }
        }
    }
}
