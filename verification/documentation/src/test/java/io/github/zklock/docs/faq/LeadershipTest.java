package io.github.zklock.docs.faq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One of two candidates leads. */
class LeadershipTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void stop() throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join(PATIENCE.toMillis());
        }
        cluster.close();
    }

    @Test
    void theOtherOneLeadsWhenTheFirstHasLostItsSession() {
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        InMemoryLockRegistry firstProcess = cluster.join();
        candidate(firstProcess, first);
        await().atMost(PATIENCE).until(() -> first.get() == 1);
        InMemoryLockRegistry secondProcess = cluster.join();
        candidate(secondProcess, second);
        await().atMost(PATIENCE).until(() -> secondProcess.inspector().awaited().size() == 1);
        assertThat(second).hasValue(0);

        firstProcess.loseSession();

        await().atMost(PATIENCE).until(() -> first.get() == 0 && second.get() == 1);
    }

    @Test
    void theOtherOneLeadsWhenTheFirstStops() throws InterruptedException {
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        candidate(cluster.join(), first);
        await().atMost(PATIENCE).until(() -> first.get() == 1);
        candidate(cluster.join(), second);

        threads.get(0).interrupt();
        threads.get(0).join(PATIENCE.toMillis());

        assertThat(first).hasValue(0);
        await().atMost(PATIENCE).until(() -> second.get() == 1);
    }

    private void candidate(InMemoryLockRegistry process, AtomicInteger leading) {
        Leadership leadership = new Leadership(process, leading::incrementAndGet, leading::decrementAndGet);
        Thread thread = new Thread(leadership, "candidate-" + threads.size());
        thread.start();
        threads.add(thread);
    }
}
