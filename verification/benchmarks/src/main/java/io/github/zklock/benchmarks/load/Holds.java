package io.github.zklock.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import io.github.zklock.benchmarks.contender.Contender;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One thread that holds locks and does nothing else. */
final class Holds implements Load {

    /** Six times the longest interval between messages that keep a lock: the client's pings, every 5.7 s. */
    private static final long SECONDS = 34;

    private final List<AutoCloseable> held = new ArrayList<>();

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
        double millis = (double) (process.getProcessCpuTime() - before) / TimeUnit.MILLISECONDS.toNanos(1);
        double seconds = Load.secondsSince(start);
        return Figures.of(Figure.CPU, millis / seconds).and(Figure.SECONDS, seconds);
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable one : held) {
            one.close();
        }
    }
}
