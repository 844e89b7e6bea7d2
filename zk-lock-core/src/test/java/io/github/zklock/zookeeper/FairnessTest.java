package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.zklock.ClusterLock;
import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.fixture.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nobody starves: while one kind comes in an unbroken stream, somebody of the other kind is served after a number of
 * grants that the hand-off policy bounds, counted from the moment at which he is seen to stand in line.
 */
class FairnessTest {

    private static final String NAME = "/contested";
    private static final int PERMITS = 3;
    private static final int THREADS = 4;
    private static final int MAX_TURNS = 8;

    @RegisterExtension
    final RealServer real = new RealServer();

    /** What the stream wants, what the one beside it wants, and how many seats of a process the stream may have. */
    static Stream<Arguments> streams() {
        return Stream.of(HandOff.bounded(MAX_TURNS, Duration.ofMinutes(10)), HandOff.strict())
                .flatMap(handOff -> Stream.of(
                        arguments(handOff, Wish.TO_READ, Wish.TO_WRITE, 1),
                        arguments(handOff, Wish.TO_WRITE, Wish.TO_READ, 1),
                        arguments(handOff, Wish.permits(1, PERMITS), Wish.permits(PERMITS, PERMITS), PERMITS)));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void aStreamOfOneProcessCannotKeepAnotherProcessOut(HandOff handOff, Wish stream, Wish other, int seats)
            throws Exception {
        Crowd crowd = new Crowd(registry(handOff), stream);

        long passed = crowd.passing(registry(handOff), other);

        // each seat of the stream has its turns, and under strict it has one
        int turns = handOff.policy() == HandOff.Policy.STRICT ? 0 : seats * handOff.maxTurns();
        assertThat(passed).isLessThanOrEqualTo(turns + THREADS);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void aStreamCannotKeepAThreadOfItsOwnProcessOut(HandOff handOff, Wish stream, Wish other) throws Exception {
        ZooKeeperLockRegistry registry = registry(handOff);
        Crowd crowd = new Crowd(registry, stream);

        long passed = crowd.passing(registry, other);

        // only those who stood there before
        assertThat(passed).isLessThanOrEqualTo(THREADS);
    }

    @Test
    void unusedSeatOfTheStreamDoesNotHideAnotherProcessBehindIt() throws Exception {
        HandOff handOff = HandOff.bounded(MAX_TURNS, Duration.ofMinutes(10));
        ZooKeeperLockRegistry stream = registry(handOff);
        ZooKeeperLockRegistry other = registry(handOff);
        AtomicLong grants = new AtomicLong();
        AtomicLong end = new AtomicLong(Long.MAX_VALUE);
        List<Future<?>> work = new ArrayList<>();
        try (LockHandle third = registry(handOff).semaphore(NAME, 4).acquire()) {
            for (int i = 0; i < THREADS; i++) {
                work.add(real.actor("stream " + i).startAct(() -> {
                    while (grants.get() < end.get()) {
                        try (LockHandle handle =
                                stream.semaphore(NAME, 4).permits(2).acquire()) {
                            assertThat(handle.isHeld()).isTrue();
                            // answered after what the engine has asked before
                            stream.inspector().queue(NAME);
                            grants.incrementAndGet();
                        }
                    }
                }));
            }
            RealServer.awaitUntil(() -> grants.get() > MAX_TURNS);

            // behind an unused seat for 2 of 4, which waits for the third process although 1 of 4 is free
            Future<Long> contender = real.actor("contender").start(() -> {
                try (LockHandle handle = other.semaphore(NAME, 4).acquire()) {
                    return handle.isHeld() ? grants.get() : Long.MAX_VALUE;
                }
            });
            // it may be served before anybody sees it in the queue
            RealServer.awaitUntil(() -> contender.isDone() || standsInTheQueue(Wish.permits(1, 4), other));
            long before = grants.get();
            end.set(before + 100 * MAX_TURNS);

            assertThat(Actor.join(contender) - before).isLessThanOrEqualTo(2 * MAX_TURNS + THREADS);
            assertThat(third.isHeld()).isTrue();
            end.set(0);
            work.forEach(Actor::join);
        }
    }

    @Test
    void readersThatPassTheirOwnWritersDoNotKeepAReaderOfAnotherProcessOut() throws Exception {
        Duration patience = Duration.ofMillis(400);
        ZooKeeperLockRegistry stream = registry(HandOff.bounded(2, Duration.ofMillis(200)));
        ZooKeeperLockRegistry other = registry(HandOff.bounded(MAX_TURNS, Duration.ofMinutes(10)));
        ClusterLock reading = stream.readWriteLock(NAME).readLock();
        ClusterLock writing = stream.readWriteLock(NAME).writeLock();
        LockHandle held = reading.acquire();
        List<CompletableFuture<LockHandle>> writers = new ArrayList<>();
        writers.add(writing.acquireAsync(patience.dividedBy(2)));
        RealServer.awaitUntil(() -> standsInTheQueue(Wish.TO_WRITE, stream));
        CompletableFuture<LockHandle> behind =
                other.readWriteLock(NAME).readLock().acquireAsync();
        RealServer.awaitUntil(() -> standsInTheQueue(Wish.TO_READ, other));

        int passed = 0;
        while (!behind.isDone() && passed < 20) {
            // granted when the writer in front gives up; another writer waits then
            CompletableFuture<LockHandle> reader = reading.acquireAsync();
            writers.add(writing.acquireAsync(patience));
            LockHandle next = reader.get(1, TimeUnit.MINUTES);
            passed++;
            held.close();
            held = next;
        }
        held.close();
        for (CompletableFuture<LockHandle> writer : writers) {
            writer.handle((handle, gaveUp) -> handle)
                    .thenAccept(handle -> {
                        if (handle != null) {
                            handle.close();
                        }
                    })
                    .get(1, TimeUnit.MINUTES);
        }
        behind.get(1, TimeUnit.MINUTES).close();

        assertThat(passed).isLessThanOrEqualTo(8);
    }

    private static boolean waits(Wish wish, ZooKeeperLockRegistry registry) {
        return registry.inspector().awaited().stream()
                .anyMatch(wait -> wait.kind() == wish.demand().kind()
                        && wait.permits() == wish.demand().permits());
    }

    private static boolean standsInTheQueue(Wish wish, ZooKeeperLockRegistry registry) throws InterruptedException {
        String session = registry.inspector().session().id();
        return registry.inspector().queue(NAME).stream()
                .anyMatch(seat -> seat.kind() == wish.demand().kind()
                        && seat.permits() == wish.demand().permits()
                        && seat.sessionId().equals(session));
    }

    private ZooKeeperLockRegistry registry(HandOff handOff) {
        return real.open(RealServer.builder()
                .connectString(real.itself().connectString())
                .handOff(handOff)
                .build());
    }

    /** Threads of one process that take the lock to do the same, one after the other and without a gap. */
    private final class Crowd {

        /** Enough to see that the stream flows. */
        private static final int FLOWING = 3 * MAX_TURNS;

        /** So many that a stream which is not held up ends by a failure. */
        private static final int STARVING = 100 * MAX_TURNS;

        private final ZooKeeperLockRegistry registry;
        private final Wish wish;
        private final AtomicLong grants = new AtomicLong();
        private final AtomicInteger resting = new AtomicInteger();
        private final List<Future<?>> work = new ArrayList<>();

        private volatile long end = Long.MAX_VALUE;
        private volatile boolean halted;
        private volatile boolean contested;

        Crowd(ZooKeeperLockRegistry registry, Wish wish) {
            this.registry = registry;
            this.wish = wish;
        }

        /** How many of the crowd are granted the lock while somebody else stands in line for it. */
        long passing(ZooKeeperLockRegistry other, Wish wanted) throws Exception {
            for (int i = 0; i < THREADS; i++) {
                work.add(real.actor(wish + " " + i).startAct(this::takeAgainAndAgain));
            }
            RealServer.awaitUntil(() -> grants.get() > FLOWING);
            halted = true;
            RealServer.awaitUntil(() -> resting.get() > 0);
            Future<Long> contender = real.actor("contender").start(() -> {
                try (LockHandle handle = wanted.acquire(other, NAME)) {
                    return handle.isHeld() ? grants.get() : Long.MAX_VALUE;
                }
            });
            RealServer.awaitUntil(() -> waits(wanted, other) && (other == registry || standsInTheQueue(wanted, other)));
            long before = grants.get();
            end = before + STARVING;
            contested = true;
            halted = false;

            long passed = Actor.join(contender) - before;

            RealServer.awaitUntil(() -> grants.get() > before + passed + FLOWING || grants.get() >= end);
            end = 0;
            work.forEach(Actor::join);
            return passed;
        }

        private void takeAgainAndAgain() throws InterruptedException {
            while (grants.get() < end) {
                try (LockHandle handle = wish.acquire(registry, NAME)) {
                    assertThat(handle.isHeld()).isTrue();
                    stay(grants.incrementAndGet());
                }
            }
        }

        /**
         * Those who can share stay until a later one has come, so that somebody is always there; who holds up others of
         * the crowd, as they may not pass the one who stands in line, leaves.
         */
        private void stay(long mine) throws InterruptedException {
            do {
                // answered after what the engine had asked before: it knows of others in line when this turn ends
                registry.inspector().queue(NAME);
                if (halted) {
                    resting.incrementAndGet();
                }
            } while (halted
                    || (!wish.equals(Wish.TO_WRITE)
                            && grants.get() == mine
                            && mine < end
                            && !(contested && waits(wish, registry))));
        }
    }
}
