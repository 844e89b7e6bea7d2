package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.fixture.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes that are cut off and lose sessions at random. Invariants of the registry must hold throughout. */
class RandomMisfortuneTest {

    private static final String NAME = "/shared";
    private static final int PROCESSES = 3;
    private static final int WORKERS = 6;
    private static final int STRIKES = 2_000;
    private static final int LOSSES = 20;
    private static final int GRANTS = 100;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final List<InMemoryLockRegistry> processes = new ArrayList<>();
    private final Set<LockHandle> writers = ConcurrentHashMap.newKeySet();
    private final Set<LockHandle> readers = ConcurrentHashMap.newKeySet();
    private final Queue<FencingToken> tokens = new ConcurrentLinkedQueue<>();
    private final AtomicInteger losses = new AtomicInteger();
    /** Each step of a holder takes one permit, so that failures hit running holders. */
    private final Semaphore steps = new Semaphore(0);

    private volatile boolean over;

    @Test
    void writersExcludeAllOthersAndNoSeatRemains() {
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(cluster.join());
        }
        List<Actor> actors = new ArrayList<>();
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            InMemoryLockRegistry process = processes.get(i % PROCESSES);
            boolean writes = i % 2 == 0;
            actors.add(new Actor("worker " + i));
            work.add(actors.get(i).startAct(() -> repeat(process, writes)));
        }
        actors.add(new Actor("observer"));
        work.add(actors.get(WORKERS).startAct(this::observe));

        for (int strikes = 0; strikes < STRIKES || losses.get() < LOSSES || tokens.size() < GRANTS; strikes++) {
            steps.drainPermits();
            strike();
            assertWritersAreAlone();
            cluster.heal();
            processes.forEach(InMemoryLockRegistry::resume);
            assertWritersAreAlone();
            steps.release(2);
        }
        end();

        work.forEach(Actor::join);
        actors.forEach(Actor::close);
        assertThat(tokens).as("tokens of writers, seed %d", seed).doesNotHaveDuplicates();
        processes.forEach(InMemoryLockRegistry::close);
        assertThat(cluster.servers().isEmpty()).isTrue();
    }

    @AfterEach
    void close() {
        end();
        cluster.close();
    }

    private void end() {
        over = true;
        steps.drainPermits();
        steps.release(Integer.MAX_VALUE);
    }

    private void strike() {
        InMemoryLockRegistry process = processes.get(random.nextInt(PROCESSES));
        switch (random.nextInt(3)) {
            case 0 -> process.suspend();
            case 1 -> process.loseSession();
            default -> cluster.outage();
        }
    }

    private void observe() {
        while (!over) {
            assertWritersAreAlone();
        }
    }

    private void assertWritersAreAlone() {
        for (LockHandle writer : writers) {
            assertThat(readers)
                    .as("readers beside a writer, seed %d", seed)
                    .noneMatch(other -> areValidAtOnce(writer, other));
            assertThat(writers)
                    .as("writers beside a writer, seed %d", seed)
                    .noneMatch(other -> other != writer && areValidAtOnce(writer, other));
        }
    }

    /**
     * Returns whether both handles are held at the same time. The writer is read twice: a loss is final, so it was held
     * in between.
     */
    private static boolean areValidAtOnce(LockHandle writer, LockHandle other) {
        return writer.isHeld() && other.isHeld() && writer.isHeld();
    }

    private void repeat(InMemoryLockRegistry process, boolean writes) throws InterruptedException {
        Set<LockHandle> valid = writes ? writers : readers;
        ClusterLock lock = writes
                ? process.readWriteLock(NAME).writeLock()
                : process.readWriteLock(NAME).readLock();
        while (!over) {
            LockHandle handle = lock.acquire();
            valid.add(handle);
            if (writes) {
                tokens.add(handle.fencingToken());
            }
            steps.acquire();
            valid.remove(handle);
            try {
                handle.close();
            } catch (LockLostException told) {
                losses.incrementAndGet();
            }
        }
    }
}
