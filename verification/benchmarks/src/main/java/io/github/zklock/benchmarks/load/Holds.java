package io.github.zklock.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Held;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One thread that has locks and does nothing: what it costs to have them. */
final class Holds implements Load {

    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** What keeps a lock is sent at intervals, of which the longest, a client's pings, come every 5.7 s: six of them. */
    private static final long SECONDS = 34;

    private final List<Held> held = new ArrayList<>();

    Holds(Contender contender, Arguments arguments) throws Exception {
        for (int lock = 0; lock < arguments.number("locks"); lock++) {
            held.add(contender.exclusive("held-" + lock).acquire());
        }
    }

    @Override
    public Figures run(Duration time) throws InterruptedException {
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long start = System.nanoTime();
        long before = process.getProcessCpuTime();
        TimeUnit.SECONDS.sleep(SECONDS);
        double millis = (process.getProcessCpuTime() - before) / NANOS_PER_MILLI;
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        return new Figures(Map.of(Figures.CPU, millis / seconds, Figures.SECONDS, seconds));
    }

    @Override
    public void close() throws Exception {
        for (Held one : held) {
            one.close();
        }
    }
}
