package io.github.zklock.faults.client;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What there is in this process of threads and memory: taken before the first call, and compared after the last. */
final class ResourceUsage {

    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final List<String> SHARED = List.of(
            "ForkJoinPool.commonPool",
            "CompletableFutureDelayScheduler",
            "ForkJoinPool-1-delayScheduler",
            "Curator-SafeNotifyService");
    /** Threads of these classes carry and wake virtual threads. */
    private static final String INTERNAL = "jdk.internal.";

    private static final long BETWEEN_LOOKS_NANOS = 20_000_000L;

    private final Set<Thread> threads = threads();
    private final long heap = heap();

    /** What is more than it was, as fields of an event; threads that are on their way out are waited for. */
    Object[] growth() {
        long end = System.nanoTime() + MAX_WAIT.toNanos();
        Set<Thread> added = added();
        while (!added.isEmpty() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, BETWEEN_LOOKS_NANOS);
            added = added();
        }
        String names = added.stream().map(Thread::getName).collect(Collectors.toCollection(TreeSet::new)).stream()
                .collect(Collectors.joining(","));
        return new Object[] {"threads", names, "heapBefore", heap, "heap", heap()};
    }

    private Set<Thread> added() {
        return threads().stream()
                .filter(Predicate.not(threads::contains))
                // those of the JVM itself come and go as they like, and so do those that all of it shares
                .filter(thread -> thread.getThreadGroup() != null
                        && !"system".equals(thread.getThreadGroup().getName())
                        && !thread.getClass().getName().startsWith(INTERNAL)
                        && SHARED.stream().noneMatch(thread.getName()::startsWith))
                .collect(Collectors.toSet());
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet();
    }

    /** What is in use once nothing is left to collect, in bytes. */
    static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
