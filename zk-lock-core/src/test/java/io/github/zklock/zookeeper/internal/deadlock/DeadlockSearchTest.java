package io.github.zklock.zookeeper.internal.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockSearch.Link;
import io.github.zklock.zookeeper.internal.deadlock.DeadlockSearch.Published;
import io.github.zklock.zookeeper.internal.deadlock.WaitReport.Hold;
import io.github.zklock.zookeeper.internal.deadlock.WaitReport.Wait;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which waits are found to wait for each other, from queues and publications alone. */
class DeadlockSearchTest {

    private static final String SHOP = "aaaaaaaa-aaaa-4aaa";
    private static final String BILLING = "bbbbbbbb-bbbb-4bbb";
    private static final String STOCK = "cccccccc-cccc-4ccc";

    private final Map<String, List<Wait>> published = new HashMap<>();
    private final Map<LockName, List<String>> queues = new HashMap<>();
    private int sequence;

    private final DeadlockSearch.Source servers = new DeadlockSearch.Source() {
        @Override
        public QueueView queue(LockName lock) {
            return QueueView.of(queues.getOrDefault(lock, List.of()));
        }

        @Override
        public Optional<Published> published(String registry) {
            return published.entrySet().stream()
                    .filter(entry -> registry.equals(part(entry.getKey())))
                    .map(entry -> new Published(new WaitReport(entry.getKey(), true, entry.getValue()), 7))
                    .findFirst();
        }
    };

    private static String part(String registry) {
        return io.github.zklock.zookeeper.internal.queue.SeatIds.registryOf(seat(registry, 0));
    }

    private static String seat(String registry, int number) {
        return "%s-8888-%012d".formatted(registry, number);
    }

    private void queue(String lock, String... nodes) {
        queues.put(LockName.of(lock), List.of(nodes));
    }

    private String exclusive(String registry, int number) {
        return "_c_%s-lock-%010d".formatted(seat(registry, number), sequence++);
    }

    private void waits(String registry, long id, LockKind kind, String lock, int... heldSeats) {
        List<Hold> holds = new ArrayList<>();
        for (int held : heldSeats) {
            holds.add(new Hold(seat(registry, held), 100 + held));
        }
        published
                .computeIfAbsent(registry, none -> new ArrayList<>())
                .add(new Wait(id, LockName.of(lock), kind, 1, 2, "thread-" + id, id, holds));
    }

    private List<String> circlesOf(String registry) throws InterruptedException {
        return new DeadlockSearch(servers)
                .circlesOf(part(registry)).stream()
                        .map(circle -> circle.stream()
                                .map((Link link) -> link.instance().substring(0, 1)
                                        + link.waiting().id())
                                .reduce("", (one, other) -> one + " " + other)
                                .strip())
                        .toList();
    }

    @Test
    void twoProcessesThatWaitForEachOtherAreACircleForBoth() throws InterruptedException {
        queue("/a", exclusive(SHOP, 1), exclusive(BILLING, 2));
        queue("/b", exclusive(BILLING, 1), exclusive(SHOP, 2));
        waits(SHOP, 1, LockKind.EXCLUSIVE, "/b", 1);
        waits(BILLING, 2, LockKind.EXCLUSIVE, "/a", 1);

        assertThat(circlesOf(SHOP)).containsExactly("a1 b2");
        assertThat(circlesOf(BILLING)).containsExactly("b2 a1");
    }

    @Test
    void threeProcessesAreOneCircle() throws InterruptedException {
        queue("/a", exclusive(SHOP, 1));
        queue("/b", exclusive(BILLING, 1));
        queue("/c", exclusive(STOCK, 1));
        waits(SHOP, 1, LockKind.EXCLUSIVE, "/b", 1);
        waits(BILLING, 2, LockKind.EXCLUSIVE, "/c", 1);
        waits(STOCK, 3, LockKind.EXCLUSIVE, "/a", 1);

        assertThat(circlesOf(STOCK)).containsExactly("c3 a1 b2");
    }

    @Test
    void holderThatDoesNotWaitEndsTheSearch() throws InterruptedException {
        queue("/a", exclusive(SHOP, 1));
        queue("/b", exclusive(BILLING, 1), exclusive(SHOP, 2));
        waits(SHOP, 1, LockKind.EXCLUSIVE, "/b", 1);

        assertThat(circlesOf(SHOP)).isEmpty();
    }

    @Test
    void waitBehindACircleOfOthersIsNoPartOfIt() throws InterruptedException {
        queue("/a", exclusive(SHOP, 1), exclusive(BILLING, 2), exclusive(STOCK, 2));
        queue("/b", exclusive(BILLING, 1), exclusive(SHOP, 2));
        queue("/c", exclusive(STOCK, 1));
        waits(SHOP, 1, LockKind.EXCLUSIVE, "/b", 1);
        waits(BILLING, 2, LockKind.EXCLUSIVE, "/a", 1);
        waits(STOCK, 3, LockKind.EXCLUSIVE, "/a", 1);

        assertThat(circlesOf(STOCK)).isEmpty();
        assertThat(circlesOf(SHOP)).containsExactly("a1 b2");
    }

    @Test
    void seatThatOnlyWaitsHoldsNothing() throws InterruptedException {
        // billing is second in the queue of /a, so a wait for /a does not wait for it
        queue("/a", exclusive(STOCK, 1), exclusive(BILLING, 1));
        queue("/b", exclusive(SHOP, 1));
        waits(SHOP, 1, LockKind.EXCLUSIVE, "/a", 1);
        waits(BILLING, 2, LockKind.EXCLUSIVE, "/b", 1);

        assertThat(circlesOf(SHOP)).isEmpty();
    }

    @Test
    void smallestNumberOfPermitsCounts() throws InterruptedException {
        // shop requests one of 2 permits; for billing, there is only one
        queue("/s", "_c_%s-permits-1-of-1-%010d".formatted(seat(BILLING, 1), 1));
        queue("/b", exclusive(SHOP, 1));
        waits(SHOP, 1, LockKind.PERMITS, "/s", 1);
        waits(BILLING, 2, LockKind.EXCLUSIVE, "/b", 1);

        assertThat(circlesOf(SHOP)).containsExactly("a1 b2");
    }

    @Test
    void requestForPermitsIsStuckOnlyIfAllHoldersAre() throws InterruptedException {
        String first = "_c_%s-permits-1-of-2-%010d".formatted(seat(BILLING, 1), 1);
        String second = "_c_%s-permits-1-of-2-%010d".formatted(seat(STOCK, 1), 2);
        queue("/permits", first, second);
        queue("/a", exclusive(SHOP, 1));
        waits(SHOP, 1, LockKind.PERMITS, "/permits", 1);
        waits(BILLING, 2, LockKind.EXCLUSIVE, "/a", 1);

        assertThat(circlesOf(SHOP)).as("the other holder may release").isEmpty();

        waits(STOCK, 3, LockKind.EXCLUSIVE, "/a", 1);
        assertThat(circlesOf(SHOP)).containsExactly("a1 b2");
    }

    @Test
    void requestForMorePermitsThanTheOthersHaveIsStuck() throws InterruptedException {
        // the third party could release its permit, but the request needs both
        String first = "_c_%s-permits-1-of-2-%010d".formatted(seat(BILLING, 1), 1);
        String second = "_c_%s-permits-1-of-2-%010d".formatted(seat(STOCK, 1), 2);
        queue("/permits", first, second);
        queue("/a", exclusive(SHOP, 1));
        published
                .computeIfAbsent(SHOP, none -> new ArrayList<>())
                .add(new Wait(
                        1,
                        LockName.of("/permits"),
                        LockKind.PERMITS,
                        2,
                        2,
                        "t",
                        1,
                        List.of(new Hold(seat(SHOP, 1), 1))));
        waits(BILLING, 2, LockKind.EXCLUSIVE, "/a", 1);

        assertThat(circlesOf(SHOP)).containsExactly("a1 b2");
    }

    @Test
    void readerIsNotBlockedByAReader() throws InterruptedException {
        queue(
                "/data",
                "_c_%s-__READ__%010d".formatted(seat(BILLING, 1), 1),
                "_c_%s-__WRIT__%010d".formatted(seat(STOCK, 1), 2),
                "_c_%s-__READ__%010d".formatted(seat(SHOP, 2), 3));
        queue("/a", exclusive(SHOP, 1));
        waits(SHOP, 1, LockKind.READ, "/data", 1);
        waits(BILLING, 2, LockKind.EXCLUSIVE, "/a", 1);

        assertThat(circlesOf(SHOP)).isEmpty();
    }

    @Test
    void writerIsStuckIfOneOfSeveralReadersIs() throws InterruptedException {
        queue(
                "/data",
                "_c_%s-__READ__%010d".formatted(seat(STOCK, 1), 1),
                "_c_%s-__READ__%010d".formatted(seat(BILLING, 1), 2));
        queue("/a", exclusive(SHOP, 1));
        waits(SHOP, 1, LockKind.WRITE, "/data", 1);
        waits(BILLING, 2, LockKind.EXCLUSIVE, "/a", 1);

        assertThat(circlesOf(SHOP)).containsExactly("a1 b2");
    }

    @Test
    void requestForItsOwnLockIsACircleOfOne() throws InterruptedException {
        queue("/permits", "_c_%s-permits-2-of-2-%010d".formatted(seat(SHOP, 1), 1));
        waits(SHOP, 1, LockKind.PERMITS, "/permits", 1);

        assertThat(circlesOf(SHOP)).containsExactly("a1");
    }

    @Test
    void twoThreadsOfOneProcessAreACircle() throws InterruptedException {
        queue("/a", exclusive(SHOP, 1));
        queue("/b", exclusive(SHOP, 2));
        waits(SHOP, 1, LockKind.EXCLUSIVE, "/b", 1);
        waits(SHOP, 2, LockKind.EXCLUSIVE, "/a", 2);

        assertThat(circlesOf(SHOP)).containsExactly("a1 a2");
    }

    @Test
    void publicationIsReadAsItWasWritten() {
        WaitReport report = new WaitReport(
                "billing-7",
                true,
                List.of(
                        new Wait(
                                3,
                                LockName.of("/ä \"b\"/c"),
                                LockKind.READ,
                                1,
                                1,
                                "thread 1",
                                1234,
                                List.of(new Hold(seat(SHOP, 1), 42), new Hold(seat(SHOP, 2), 43))),
                        new Wait(4, LockName.of("/d"), LockKind.PERMITS, 2, 8, "thread 2", 5, List.of())));

        assertThat(WaitReport.read(report.write())).isEqualTo(report);
    }

    @Test
    void whatNoRegistryHasWrittenIsNoWait() {
        for (String text : List.of(
                "",
                "x",
                "{\"id\":1}",
                "{\"id\":1,\"lock\":\"\",\"kind\":\"read\",\"permits\":1,\"of\":1,\"thread\":\"t\",\"since\":1,\"holds\":\"\"}",
                "{\"id\":1,\"lock\":\"/a\",\"kind\":\"?\",\"permits\":1,\"of\":1,\"thread\":\"t\",\"since\":1,\"holds\":\"\"}",
                "{\"id\":1,\"lock\":\"/a\",\"kind\":\"read\",\"permits\":1,\"of\":1,\"thread\":\"t\",\"since\":1,\"holds\":\"a:b\"}",
                "{\"id\":1,\"lock\":\"/a\",\"kind\":\"read\",\"permits\":1,\"of\":1,\"thread\":\"t\",\"since\":1}")) {
            assertThat(WaitReport.read(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                            .waits())
                    .as(text)
                    .isEmpty();
        }
        assertThat(WaitReport.read(new byte[WaitReport.LONGEST_DATA + 1]).waits())
                .isEmpty();
    }
}
