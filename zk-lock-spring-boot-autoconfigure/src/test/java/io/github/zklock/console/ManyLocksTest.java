package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.fixture.Traffic;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What it costs ZooKeeper to have the console look at many locks, and at a long queue: counted in requests. */
class ManyLocksTest {

    private static final int LOCKS = 10_000;
    private static final int SEATS = 1_000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static LocalZooKeeper server;
    private static ZooKeeper stranger;

    private final AtomicLong nanos = new AtomicLong();
    private final Readers readers = new Readers(PATIENCE, InstantSource.system(), nanos::get);
    private ZooKeeperLockRegistry registry;
    private WatchedRegistry watched;

    @BeforeAll
    static void fill() throws Exception {
        server = new LocalZooKeeper();
        CountDownLatch connected = new CountDownLatch(1);
        stranger = new ZooKeeper(server.connectString(), 60_000, event -> connected.countDown());
        assertThat(connected.await(60, TimeUnit.SECONDS)).isTrue();
        List<String> folders = new ArrayList<>(List.of("/locks", "/locks/queue", "/locks/stock"));
        for (int i = 0; i < LOCKS - 2; i++) {
            folders.add("/locks/stock/1%04d".formatted(i));
        }
        create(folders, CreateMode.PERSISTENT);
        List<String> seats = new ArrayList<>();
        for (int i = 0; i < SEATS; i++) {
            seats.add("/locks/queue/_c_5f0c8f3e-27d1-4d3c-9f3b-%012d-lock-".formatted(i));
        }
        create(seats, CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        stranger.close();
        server.close();
    }

    @BeforeEach
    void watch() throws Exception {
        registry = ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .connectionTimeout(PATIENCE)
                .build();
        registry.lock("/queue-of-mine").acquire().close();
        server.collectContainers();
        watched = new WatchedRegistry("zkLockRegistry", registry, readers, InstantSource.system());
    }

    @AfterEach
    void close() {
        watched.close();
        readers.close();
        registry.close();
    }

    @Test
    void oneWalkServesAllViewers() throws Exception {
        Map<String, Long> before = server.traffic().total();

        List<LocksPage> pages = twentyViewers(() -> watched.locks("", "/stock", 0, 50));
        twentyViewers(() -> watched.locks("", "/stock", 0, 50));

        assertThat(pages).allSatisfy(page -> {
            assertThat(page.problem()).isNull();
            assertThat(page.total()).isEqualTo(LOCKS - 1);
            assertThat(page.page()).hasSize(50).extracting(LocksPage.Row::seats).containsOnly(0, 0);
        });
        // each folder once, those above a page once more with each of its few pages, and the rows of the visible page
        assertThat(lists(before)).isBetween((long) LOCKS, LOCKS + 150L);
    }

    @Test
    void aPageOfWhatIsKnownCostsItsRowsAlone() throws Exception {
        watched.locks("", "", 0, 1);
        Map<String, Long> before = server.traffic().total();

        LocksPage last = watched.locks("", "/stock", LOCKS - 11, 200);
        LocksPage found = watched.locks("stock/10042", "", 0, 50);
        LocksPage none = watched.locks("nothing like it", "", 0, 50);

        assertThat(last.page()).hasSize(10);
        assertThat(found.page()).extracting(LocksPage.Row::name).containsExactly("/stock/10042");
        assertThat(none.page()).isEmpty();
        assertThat(lists(before)).isEqualTo(11);
    }

    @Test
    void namesAreReadAgainOnlyWhenSomebodyLooksAndTheyAreOld() throws Exception {
        watched.locks("", "", 0, 0);
        Map<String, Long> before = server.traffic().total();

        nanos.addAndGet(Duration.ofMillis(1999).toNanos());
        watched.locks("", "", 0, 0);
        long whileFresh = lists(before);
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        watched.locks("", "", 0, 0);

        assertThat(whileFresh).isZero();
        Awaitility.await().atMost(PATIENCE).until(() -> lists(before) >= LOCKS);
    }

    @Test
    void aLongQueueIsReadOnceForItsRowAndItsViewers() throws Exception {
        try (LockHandle mine = registry.lock("/mine").acquire()) {
            Map<String, Long> before = server.traffic().total();

            List<QueueReport> queues = twentyViewers(() -> watched.queue(LockName.of("/queue"), 200));
            LocksPage page = watched.locks("queue", "", 0, 1);

            assertThat(queues).allSatisfy(queue -> {
                assertThat(queue.length()).isEqualTo(SEATS);
                assertThat(queue.seats()).hasSize(200);
            });
            assertThat(page.page().get(0).waiting()).isEqualTo(SEATS - 1);
            assertThat(Traffic.between(before, server.traffic().total()).get("getData"))
                    .isEqualTo(SEATS);
            assertThat(mine.isHeld()).isTrue();
        }
    }

    private static long lists(Map<String, Long> before) {
        return Traffic.between(before, server.traffic().total()).entrySet().stream()
                .filter(each -> each.getKey().startsWith("getChildren"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static <T> List<T> twentyViewers(Callable<T> look) {
        List<Actor> viewers = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                viewers.add(new Actor("viewer-" + i));
            }
            List<Future<T>> looks =
                    viewers.stream().map(viewer -> viewer.start(look)).toList();
            return looks.stream().map(Actor::join).toList();
        } finally {
            viewers.forEach(Actor::close);
        }
    }

    private static void create(List<String> paths, CreateMode mode) throws InterruptedException {
        CountDownLatch made = new CountDownLatch(paths.size());
        for (String path : paths) {
            stranger.create(
                    path,
                    new byte[0],
                    Ids.OPEN_ACL_UNSAFE,
                    mode,
                    (code, asked, context, name) -> made.countDown(),
                    null);
        }
        assertThat(made.await(120, TimeUnit.SECONDS)).isTrue();
    }
}
