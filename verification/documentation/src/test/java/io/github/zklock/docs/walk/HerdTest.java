package io.github.zklock.docs.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.docs.check.Document;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Closing;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.Traffic;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a queue of fifty sessions costs until it is empty, on a real server: with a lock that is one node, and with ours.
 * The figures are those of {@code docs/how-it-works.md}.
 */
class HerdTest {

    private static final int SESSIONS = 50;
    private static final long WAITING = SESSIONS - 1;
    private static final String EVENT = "event NodeDeleted";

    private final LocalZooKeeper server = new LocalZooKeeper();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() {
        Closing.together(opened);
        server.close();
    }

    @Test
    void everyReleaseOfTheNaiveLockWakesEverybodyWhoWaits() throws Exception {
        Map<String, Long> counted = drainOfTheNaiveLock();

        // each of the n who wait is told, tries, and all but one look again
        long told = WAITING * (WAITING + 1) / 2;
        assertThat(counted)
                .isEqualTo(Map.of(EVENT, told, "create", told, "exists", told - WAITING, "delete", (long) SESSIONS));
        assertThat(figures(0))
                .containsExactly(told, told, told - WAITING, (long) SESSIONS, 2 * told - WAITING + SESSIONS);
    }

    @Test
    void everyReleaseOfOurLockWakesOne() throws Exception {
        Map<String, Long> counted = drainOfOurLock();

        // one is told, and looks once more: at the queue, or, where the head is known, at its own seat
        assertThat(counted)
                .isEqualTo(
                        Map.of(EVENT, WAITING, "getChildren", WAITING - 1, "sync", 1L, "getData", 1L, "delete", (long)
                                SESSIONS));
        assertThat(figures(1)).containsExactly(WAITING, 0L, WAITING + 1, (long) SESSIONS, WAITING + 1 + SESSIONS);
    }

    /** From the moment at which one holds and all others watch, to the last release. Who holds waits for all watches. */
    private Map<String, Long> drainOfTheNaiveLock() throws Exception {
        AtomicInteger waiting = new AtomicInteger(SESSIONS);
        CountDownLatch begin = new CountDownLatch(1);
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            NaiveLock lock = new NaiveLock(server.connectString());
            opened.add(lock);
            ends.add(inAThreadOfItsOwn(() -> {
                lock.acquire();
                int others = waiting.decrementAndGet();
                begin.await();
                awaitUntil(() -> server.watches() == others);
                lock.release();
                return null;
            }));
        }
        awaitUntil(() -> server.watches() == WAITING);
        Map<String, Long> before = server.traffic().total();
        begin.countDown();
        ends.forEach(Actor::join);
        return Traffic.between(before, server.traffic().total());
    }

    private Map<String, Long> drainOfOurLock() {
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (int i = 1; i <= SESSIONS; i++) {
            ZooKeeperLockRegistry registry = ZooKeeperLockRegistry.builder()
                    .connectString(server.connectString())
                    .sessionTimeout(Duration.ofMinutes(10)) // so that no renewal falls into what is counted
                    .build();
            opened.add(registry);
            waits.add(registry.lock("/counted").acquireAsync());
            int seats = i;
            awaitUntil(() -> Leftovers.seats(server).size() == seats);
        }
        awaitUntil(() -> server.watches() == WAITING);
        Map<String, Long> before = server.traffic().total();
        for (CompletableFuture<LockHandle> wait : waits) {
            LockHandle handle = Actor.join(wait);
            handle.close();
            Actor.join(handle.released().toCompletableFuture());
        }
        return Traffic.between(before, server.traffic().total());
    }

    /** A column of the table in the document. */
    private static List<Long> figures(int column) {
        return Document.read("docs/how-it-works.md").lines().stream()
                .filter(line -> line.matches("\\| [^|]+ \\| [\\d,]+ \\| [\\d,]+ \\|"))
                .map(line -> line.split(" \\| ", -1)[column + 1].replaceAll("\\D", ""))
                .map(Long::valueOf)
                .toList();
    }

    private static CompletableFuture<Void> inAThreadOfItsOwn(Callable<Void> work) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                end.complete(work.call());
            } catch (Exception e) {
                end.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return end;
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInSameThread()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(2))
                .until(condition);
    }
}
