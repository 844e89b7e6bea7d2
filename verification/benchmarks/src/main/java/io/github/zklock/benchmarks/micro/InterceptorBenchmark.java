package io.github.zklock.benchmarks.micro;

import io.github.zklock.ClusterLock;
import io.github.zklock.HandOff;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.method.ZkLockAopAutoConfiguration;
import io.github.zklock.test.InMemoryLockRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Measures what {@code @DistributedLock} adds to the lock: the same work under the plain lock and under the annotation,
 * on the registry in memory, whose own cost is part of each figure. The process keeps its seat for as many turns as a
 * seat can have. The overhead is the difference to {@link #bare}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InterceptorBenchmark {

    private final AnnotationConfigApplicationContext context =
            new AnnotationConfigApplicationContext(Application.class);
    private final ClusterLock lock = context.getBean(LockRegistry.class).lock("/orders/42");
    private final Work work = context.getBean(Work.class);
    /** Not the bean, whose proxy also costs a method without an annotation. */
    private final Work bare = new Work();

    /** Closes the registry. */
    @TearDown
    public void stop() {
        context.close();
    }

    /** The work under the lock, without the annotation. */
    @Benchmark
    public long bare() throws InterruptedException {
        try (LockHandle handle = lock.acquire();
                LockContext.Scope open = LockContext.open(handle)) {
            return bare.unlocked(42);
        }
    }

    /** A name without expressions. */
    @Benchmark
    public long literal() {
        return work.literal(42);
    }

    /** A name with one argument. */
    @Benchmark
    public long template() {
        return work.template(42);
    }

    /** The work, with and without the annotation. */
    public static class Work {

        long unlocked(long id) {
            return id + 1;
        }

        @DistributedLock("/orders/42")
        long literal(long id) {
            return id + 1;
        }

        @DistributedLock("/orders/#{#id}")
        long template(long id) {
            return id + 1;
        }
    }

    /** An application like those of the starter, on locks in memory. */
    @Configuration
    @Import(ZkLockAopAutoConfiguration.class)
    static class Application {

        private static final Duration LINGER = Duration.ofMinutes(10);
        private static final int MOST_TURNS = 4096;

        @Bean
        LockRegistry zkLockRegistry() {
            return InMemoryLockRegistry.builder()
                    .handOff(HandOff.bounded(MOST_TURNS, LINGER).lingering(LINGER))
                    .build();
        }

        @Bean
        Work work() {
            return new Work();
        }
    }
}
