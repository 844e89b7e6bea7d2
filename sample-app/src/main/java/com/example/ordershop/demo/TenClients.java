package com.example.ordershop.demo;

import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockInspector.Owner;
import io.github.zklock.LockInspector.Seat;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Clients that want one lock, each with a ZooKeeper session of its own. They are in one process so that one counter knows
 * how many hold the lock at the same time.
 */
final class TenClients {

    /** Followed by the queue when all stand in it: {@code client-3@session}, holder first. */
    static final String LINE = "LINE ";
    /** Followed by client, token, how many held the lock then, and the queue. */
    static final String SERVED = "SERVED ";

    private final List<ZooKeeperLockRegistry> clients;
    private final String lock;
    private final AtomicInteger holders = new AtomicInteger();
    private final CountDownLatch firstHolds = new CountDownLatch(1);
    private final CountDownLatch allInLine = new CountDownLatch(1);

    private TenClients(List<ZooKeeperLockRegistry> clients, String lock) {
        this.clients = clients;
        this.lock = lock;
    }

    /**
     * Has them stand in line, once.
     *
     * @param arguments connect string, base path, lock, number of clients
     */
    public static void main(String[] arguments) throws InterruptedException {
        // a client that breaks down leaves the others waiting: the process ends, and its last words say why
        Thread.setDefaultUncaughtExceptionHandler((thread, failed) -> {
            failed.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        List<ZooKeeperLockRegistry> clients = new ArrayList<>();
        for (int i = 1; i <= Integer.parseInt(arguments[3]); i++) {
            clients.add(ZooKeeperLockRegistry.builder()
                    .connectString(arguments[0])
                    .basePath(arguments[1])
                    .instance("client-" + i)
                    .handOff(HandOff.strict())
                    .build());
        }
        new TenClients(clients, arguments[2]).queue();
        clients.forEach(ZooKeeperLockRegistry::close);
        Runtime.getRuntime().exit(0);
    }

    private void queue() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            Client client = new Client("client-" + (i + 1), clients.get(i));
            threads.add(new Thread(client, client.name));
        }
        threads.get(0).start();
        firstHolds.await();
        threads.subList(1, threads.size()).forEach(Thread::start);
        System.out.println(LINE + text(fullQueue()));
        allInLine.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private List<Seat> fullQueue() throws InterruptedException {
        List<Seat> queue = List.of();
        // each look is a round trip to the server
        while (queue.size() < clients.size()) {
            queue = clients.get(0).inspector().queue(lock);
        }
        return queue;
    }

    private static String text(List<Seat> queue) {
        return queue.stream()
                .map(seat -> seat.owner().map(Owner::instance).orElse("?") + "@" + seat.sessionId())
                .collect(Collectors.joining(" "));
    }

    private final class Client implements Runnable {

        private final String name;
        private final ZooKeeperLockRegistry registry;

        Client(String name, ZooKeeperLockRegistry registry) {
            this.name = name;
            this.registry = registry;
        }

        @Override
        public void run() {
            try (LockHandle handle = registry.lock(lock).acquire(ChildJvm.PATIENCE)) {
                int holding = holders.incrementAndGet();
                firstHolds.countDown();
                allInLine.await();
                List<Seat> queue = registry.inspector().queue(lock);
                System.out.println(SERVED + name + " " + handle.fencingToken() + " " + Math.max(holding, holders.get())
                        + " " + text(queue));
                holders.decrementAndGet();
            } catch (InterruptedException e) {
                throw new IllegalStateException(name + " was interrupted", e);
            }
        }
    }
}
