package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.zklock.LockHandle;
import io.github.zklock.fixture.Leftovers;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

// how a lock is taken and given back, and in which order, is what is tested here
@SuppressWarnings("LockNotBeforeTry")
class VirtualThreadsTest {

    private static final int THREADS = 100_000;

    @RegisterExtension
    final RealServer real = new RealServer();

    @Test
    void hundredThousandVirtualThreadsShareOneSeatAndAllAreServed() throws Throwable {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads are there from Java 21 on");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger mostInside = new AtomicInteger();
        CountDownLatch served = new CountDownLatch(THREADS);
        ExecutorService threads = newVirtualThreadPerTaskExecutor();
        ZooKeeperLockRegistry registry = real.open(RealServer.builder()
                .connectString(real.itself().connectString())
                .sessionTimeout(Duration.ofMinutes(2))
                .build());
        LockHandle first = registry.lock("/crowd").acquire();
        for (int i = 0; i < THREADS; i++) {
            threads.execute(() -> {
                registry.lock("/crowd").lock();
                mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
                inside.decrementAndGet();
                registry.lock("/crowd").unlock();
                served.countDown();
            });
        }
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> registry.inspector().awaited().size() == THREADS);
        assertThat(registry.inspector().awaited().get(0).waiter()).matches("#\\d+");
        AtomicInteger mostSeats =
                new AtomicInteger(Leftovers.seats(real.itself()).size());

        first.close();

        Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> {
            mostSeats.accumulateAndGet(Leftovers.seats(real.itself()).size(), Math::max);
            return served.await(1, TimeUnit.MILLISECONDS);
        });
        assertThat(mostInside).hasValue(1);
        assertThat(mostSeats).hasValue(1);
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    /** {@code Executors.newVirtualThreadPerTaskExecutor()}, which the Java that compiles this does not know. */
    private static ExecutorService newVirtualThreadPerTaskExecutor() throws Throwable {
        MethodHandle factory = MethodHandles.publicLookup()
                .findStatic(
                        Executors.class,
                        "newVirtualThreadPerTaskExecutor",
                        MethodType.methodType(ExecutorService.class));
        return (ExecutorService) factory.invokeExact();
    }
}
