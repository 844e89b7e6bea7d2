package io.github.zklock.docs.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.docs.check.Document;
import io.github.zklock.fixture.Actor;
import io.github.zklock.fixture.Leftovers;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The queue of a lock in {@code docs/how-it-works.md} is what ZooKeeper's command line prints of a real one. */
class SeatsAsZkCliShowsThemTest {

    private static final String FOLDER = "/locks/order-stats";

    @Test
    void theDocumentShowsWhatTheCommandLinePrints() throws Exception {
        List<AutoCloseable> opened = new ArrayList<>();
        try (LocalZooKeeper server = new LocalZooKeeper();
                ZkCli shell = new ZkCli(server.connectString())) {
            List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                ZooKeeperLockRegistry registry = ZooKeeperLockRegistry.builder()
                        .connectString(server.connectString())
                        .sessionTimeout(Duration.ofMinutes(5))
                        .instance("shop-" + i)
                        .build();
                opened.add(registry);
                waits.add(registry.lock("/order-stats").acquireAsync());
                awaitSeats(server, i);
            }
            ZkTranscript transcript = new ZkTranscript(Leftovers.seats(server));
            LockHandle holder = Actor.join(waits.get(0));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> server.watches() == 2);

            transcript.add("ls " + FOLDER, shell.run("ls " + FOLDER));
            String first = transcript.seat(0);
            transcript.add("get -s " + first, shell.run("get -s " + first));
            holder.close();
            LockHandle next = Actor.join(waits.get(1));
            awaitSeats(server, 2);
            transcript.add("ls " + FOLDER, shell.run("ls " + FOLDER));
            next.close();
            Actor.join(waits.get(2)).close();

            Document document = Document.read("docs/how-it-works.md");
            Document fresh = transcript.in(document);
            if (Boolean.getBoolean("zklock.docs.rewrite")) {
                fresh.write();
            } else {
                assertThat(document.text())
                        .as("%s; rewrite it with -Dzklock.docs.rewrite=true", document.path())
                        .isEqualTo(fresh.text());
            }
        } finally {
            for (AutoCloseable each : opened) {
                each.close();
            }
        }
    }

    private static void awaitSeats(LocalZooKeeper server, int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> Leftovers.seats(server).size() == count);
    }
}
