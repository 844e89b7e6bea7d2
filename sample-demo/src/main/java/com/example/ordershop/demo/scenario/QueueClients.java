package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ChildJvm;
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
 * Main class of a process with several clients that wait for one lock, each with a ZooKeeper session of its own. One process
 * runs all of them, so one counter covers all holders.
 */
final class QueueClients {

    /** Prefix of the line with the complete queue: {@code client-3@session}, holder first. */
    static final String QUEUE = "QUEUE ";
    /** Prefix of a line with the client, its token, the number of holders at that moment, and the queue. */
    static final String SERVED = "SERVED ";

    private final List<ZooKeeperLockRegistry> clients;
    private final String lock;
    private final AtomicInteger holders = new AtomicInteger();
    private final CountDownLatch firstHolds = new CountDownLatch(1);
    private final CountDownLatch allInQueue = new CountDownLatch(1);

    private QueueClients(List<ZooKeeperLockRegistry> clients, String lock) {
        this.clients = clients;
        this.lock = lock;
    }

    /**
     * Lets each client acquire and release the lock once.
     *
     * @param arguments connect string, base path, lock, number of clients
     */
    public static void main(String[] arguments) throws InterruptedException {
        // the other clients would wait for a client that has failed: end the process, its output states the reason
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
        new QueueClients(clients, arguments[2]).queue();
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
        System.out.println(QUEUE + text(fullQueue()));
        allInQueue.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private List<Seat> fullQueue() throws InterruptedException {
        List<Seat> queue = List.of();
        // no busy loop: each call is a round trip to the server
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
                allInQueue.await();
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
