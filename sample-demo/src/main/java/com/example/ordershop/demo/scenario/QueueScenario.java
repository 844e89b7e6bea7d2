package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ChildJvm;
import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.ShopCluster;
import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Owner;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets ten clients wait for one lock, each with a ZooKeeper session of its own, and shows that they acquire it in queue order,
 * one at a time. All clients run in this JVM, so one counter covers all holders.
 */
final class QueueScenario {

    static final int CLIENTS = 10;

    /** A client in the queue. */
    record Place(String client, String session) {

        private static Place of(Seat seat) {
            return new Place(seat.owner().map(Owner::instance).orElse("?"), seat.sessionId());
        }
    }

    /**
     * One acquisition, as the client observed it.
     *
     * @param holders number of holders at that moment
     * @param queue holder first
     */
    record Acquisition(String client, long token, int holders, List<Place> queue) {}

    @FunctionalInterface
    private interface HolderTask {
        void run() throws InterruptedException, ExecutionException;
    }

    private final ShopCluster cluster;
    private final String lock = "/queue/" + UUID.randomUUID();
    private final List<ZooKeeperLockRegistry> clients = new ArrayList<>();
    private final AtomicInteger holders = new AtomicInteger();
    private final List<Acquisition> acquisitions = Collections.synchronizedList(new ArrayList<>());

    private QueueScenario(ShopCluster cluster) {
        this.cluster = cluster;
    }

    static Verdict run(ShopCluster cluster) throws InterruptedException {
        QueueScenario scenario = new QueueScenario(cluster);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            return scenario.run(threads);
        } catch (ExecutionException e) {
            throw new ScenarioException("A client has failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
            scenario.clients.forEach(ZooKeeperLockRegistry::close);
        }
    }

    private Verdict run(ExecutorService threads) throws InterruptedException, ExecutionException {
        for (int i = 1; i <= CLIENTS; i++) {
            clients.add(ZooKeeperLockRegistry.builder()
                    .connectString(cluster.servers().zookeeper())
                    .basePath(ShopCluster.BASE_PATH)
                    .instance("client-" + i)
                    .handOff(HandOff.strict())
                    .build());
        }
        List<Future<?>> waiting = new ArrayList<>();
        serve(1, () -> {
            for (int i = 2; i <= CLIENTS; i++) {
                int number = i;
                waiting.add(threads.submit(() -> {
                    serve(number, () -> {});
                    return null;
                }));
            }
            awaitFullQueue(waiting);
        });
        for (Future<?> one : waiting) {
            one.get();
        }
        return verdict(List.copyOf(acquisitions));
    }

    /** Acquires and releases the lock once. The first holder runs a task before it looks at the queue. */
    private void serve(int number, HolderTask task) throws InterruptedException, ExecutionException {
        ZooKeeperLockRegistry client = clients.get(number - 1);
        try (LockHandle handle = client.lock(lock).acquire(ChildJvm.PATIENCE)) {
            int holding = holders.incrementAndGet();
            task.run();
            List<Place> queue = queue(client);
            Acquisition acquisition = new Acquisition(
                    "client-" + number, handle.fencingToken().value(), Math.max(holding, holders.get()), queue);
            acquisitions.add(acquisition);
            cluster.report("%s holds the lock with token %d; waiting: %s"
                    .formatted(acquisition.client(), acquisition.token(), names(queue.subList(1, queue.size()))));
            holders.decrementAndGet();
        }
    }

    private void awaitFullQueue(List<Future<?>> waiting) throws InterruptedException, ExecutionException {
        List<Place> queue = List.of();
        // no busy loop: each call is a round trip to the server
        while (queue.size() < CLIENTS) {
            for (Future<?> one : waiting) {
                if (one.isDone()) {
                    one.get();
                    throw new ScenarioException("A client acquired the lock while client-1 held it");
                }
            }
            queue = queue(clients.get(0));
        }
        cluster.report("all clients are in the queue: " + names(queue));
    }

    private List<Place> queue(ZooKeeperLockRegistry client) throws InterruptedException {
        return client.inspector().queue(lock).stream().map(Place::of).toList();
    }

    /** Judges the acquisitions, first one first, by the queue that the first holder saw. */
    static Verdict verdict(List<Acquisition> acquisitions) {
        List<Place> queue = acquisitions.get(0).queue();
        long sessions = queue.stream().map(Place::session).distinct().count();
        boolean inOrder = acquisitions.stream()
                .map(Acquisition::client)
                .toList()
                .equals(queue.stream().map(Place::client).toList());
        int most = acquisitions.stream().mapToInt(Acquisition::holders).max().orElse(0);
        boolean rising = true;
        boolean moved = true;
        for (int i = 0; i < acquisitions.size() && i < queue.size(); i++) {
            rising &= i == 0
                    || acquisitions.get(i).token() > acquisitions.get(i - 1).token();
            // each client saw the queue without the clients that were served before
            moved &= acquisitions.get(i).queue().equals(queue.subList(i, queue.size()));
        }
        return Scenario.QUEUE.verdict(
                sessions == CLIENTS && acquisitions.size() == CLIENTS && inOrder && most == 1 && moved && rising,
                "%d clients with %d sessions, each served once: %d acquisitions, %s the order of the queue, at most %d at a time, tokens %s"
                        .formatted(
                                queue.size(),
                                sessions,
                                acquisitions.size(),
                                inOrder ? "in" : "NOT IN",
                                most,
                                rising ? "rising" : "NOT RISING"));
    }

    private static String names(List<Place> queue) {
        return queue.isEmpty()
                ? "none"
                : String.join(" ", queue.stream().map(Place::client).toList());
    }
}
