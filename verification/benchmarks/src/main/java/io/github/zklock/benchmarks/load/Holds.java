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

/** One thread that holds locks and does nothing else. */
final class Holds implements Load {

    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Six times the longest interval between messages that keep a lock: the client's pings, every 5.7 s. */
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
