package io.github.zklock.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.fixture.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/** Two processes that read, compute and write one row, each step in a transaction of its own. */
class LostUpdateTest extends TransactionTest {

    private static final int THREADS = 4;
    private static final int INCREMENTS = 25;

    private static List<ConfigurableApplicationContext> processes;

    @Configuration(proxyBeanMethods = false)
    @Import(Counter.class)
    static class Shop {}

    static class Counter {

        private final JdbcClient database;

        Counter(JdbcClient database) {
            this.database = database;
        }

        @DistributedLock("/counters/#{#id}")
        @Transactional
        public void increment(String id) {
            write(id, read(id) + 1);
        }

        @Transactional
        public void incrementUnlocked(String id, CyclicBarrier bothHaveRead)
                throws InterruptedException, BrokenBarrierException, TimeoutException {
            int amount = read(id);
            bothHaveRead.await(60, TimeUnit.SECONDS);
            write(id, amount + 1);
        }

        void create(String id) {
            database.sql("insert into counters values (?, 0)").param(id).update();
        }

        int read(String id) {
            return database.sql("select amount from counters where id = ?")
                    .param(id)
                    .query(Integer.class)
                    .single();
        }

        void write(String id, int amount) {
            database.sql("update counters set amount = ? where id = ?")
                    .param(amount)
                    .param(id)
                    .update();
        }
    }

    @BeforeAll
    static void startProcesses() {
        processes = List.of(start(Shop.class), start(Shop.class));
    }

    @AfterAll
    static void stopProcesses() {
        processes.forEach(ConfigurableApplicationContext::close);
    }

    @Test
    void whoGetsTheLockReadsWhatTheOneBeforeHasCommitted() {
        counter(0).create("locked");
        List<Actor> actors = actors();

        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Counter counter = counter(i % 2);
            work.add(actors.get(i).startAct(() -> {
                for (int n = 0; n < INCREMENTS; n++) {
                    counter.increment("locked");
                }
            }));
        }
        work.forEach(Actor::join);
        actors.forEach(Actor::close);

        assertThat(counter(0).read("locked")).isEqualTo(THREADS * INCREMENTS);
    }

    @Test
    void withoutTheLockAnUpdateIsLost() {
        counter(0).create("unlocked");
        CyclicBarrier bothHaveRead = new CyclicBarrier(2);

        try (Actor one = new Actor("one");
                Actor other = new Actor("other")) {
            Future<?> first = one.startAct(() -> counter(0).incrementUnlocked("unlocked", bothHaveRead));
            Future<?> second = other.startAct(() -> counter(1).incrementUnlocked("unlocked", bothHaveRead));
            Actor.join(first);
            Actor.join(second);
        }

        assertThat(counter(0).read("unlocked")).isEqualTo(1);
    }

    private static Counter counter(int process) {
        return processes.get(process).getBean(Counter.class);
    }

    private static List<Actor> actors() {
        List<Actor> actors = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            actors.add(new Actor("incrementing-" + i));
        }
        return actors;
    }
}
