package io.github.zklock.faults.client;

import io.github.zklock.faults.timeline.Event.Kind;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The threads and the heap of this process, recorded before the first call and compared after the last one. */
final class ResourceUsage {

    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final List<String> SHARED = List.of(
            "ForkJoinPool.commonPool",
            "CompletableFutureDelayScheduler",
            "ForkJoinPool-1-delayScheduler",
            "Curator-SafeNotifyService");
    /** Prefix of the classes of threads that run virtual threads. */
    private static final String INTERNAL = "jdk.internal.";

    private static final long BETWEEN_LOOKS_NANOS = 20_000_000L;

    private final Set<Thread> threads = threads();
    private final long heap = heap();

    /** Waits for ending threads, and reports the additional threads and the heap. */
    void report(ClientConfig config) {
        long end = System.nanoTime() + MAX_WAIT.toNanos();
        Set<Thread> added = added();
        while (!added.isEmpty() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, BETWEEN_LOOKS_NANOS);
            added = added();
        }
        String names = added.stream().map(Thread::getName).collect(Collectors.toCollection(TreeSet::new)).stream()
                .collect(Collectors.joining(","));
        config.report(Kind.ENDED, "threads heapBefore heap", names, heap, heap());
    }

    private Set<Thread> added() {
        return threads().stream()
                .filter(Predicate.not(threads::contains))
                // leaves out the threads of the JVM and those that the whole JVM shares
                .filter(thread -> thread.getThreadGroup() != null
                        && !"system".equals(thread.getThreadGroup().getName())
                        && !thread.getClass().getName().startsWith(INTERNAL)
                        && SHARED.stream().noneMatch(thread.getName()::startsWith))
                .collect(Collectors.toSet());
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet();
    }

    /** Returns the used heap after a collection, in bytes. */
    static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
