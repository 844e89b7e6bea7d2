package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.Order;
import com.example.ordershop.demo.process.ShopProcess;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that place and complete orders at the same time, each of them in all shops in turn. */
final class LoadGenerator {

    /** Attempts per order. An attempt changes nothing if its shop loses the lock. */
    private static final int ATTEMPTS = 5;

    /** An order that was completed under the lock with this token. */
    record CompletedOrder(ShopProcess shop, long token) {}

    /**
     * Result of all clients.
     *
     * @param repeated number of attempts whose shop had lost the lock
     * @param failures one message for each order that was not completed
     */
    record LoadResult(List<CompletedOrder> orders, int repeated, List<String> failures, Duration time) {

        /** Returns the number of shops that completed orders. */
        long shops() {
            return orders.stream().map(CompletedOrder::shop).distinct().count();
        }

        /** Returns how often the next token belonged to another shop. */
        int handOvers() {
            List<CompletedOrder> inOrder = orders.stream()
                    .sorted(Comparator.comparingLong(CompletedOrder::token))
                    .toList();
            int count = 0;
            for (int i = 1; i < inOrder.size(); i++) {
                if (inOrder.get(i).shop() != inOrder.get(i - 1).shop()) {
                    count++;
                }
            }
            return count;
        }

        /** Returns the number of different tokens. */
        long tokens() {
            return orders.stream().mapToLong(CompletedOrder::token).distinct().count();
        }
    }

    private final List<ShopProcess> shops;
    private final LocalDate day;
    private final boolean guarded;
    private final Load load;
    private final Runnable completed;
    private final List<CompletedOrder> orders = Collections.synchronizedList(new ArrayList<>());
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger repeated = new AtomicInteger();
    private final CountDownLatch start = new CountDownLatch(1);

    /** @param completed called after each completed order */
    LoadGenerator(List<ShopProcess> shops, LocalDate day, boolean guarded, Load load, Runnable completed) {
        this.shops = shops;
        this.day = day;
        this.guarded = guarded;
        this.load = load;
        this.completed = completed;
    }

    /** Runs all clients and waits for their end. */
    LoadResult run() throws InterruptedException {
        ExecutorService clients = Executors.newFixedThreadPool(load.clients());
        try {
            List<Future<Void>> results = new ArrayList<>();
            for (int i = 0; i < load.clients(); i++) {
                results.add(clients.submit(client(i)));
            }
            long begin = System.nanoTime();
            start.countDown();
            for (Future<Void> one : results) {
                one.get();
            }
            Duration time = Duration.ofNanos(System.nanoTime() - begin);
            return new LoadResult(List.copyOf(orders), repeated.get(), List.copyOf(failures), time);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A client has failed", e.getCause());
        } finally {
            clients.shutdownNow();
        }
    }

    private Callable<Void> client(int number) {
        return () -> {
            start.await();
            for (int i = 0; i < load.orders(); i++) {
                ShopProcess shop = shops.get((number + i) % shops.size());
                try {
                    completeOne(shop);
                } catch (ScenarioException e) {
                    failures.add(String.valueOf(e.getMessage()));
                }
            }
            return null;
        };
    }

    private void completeOne(ShopProcess shop) throws InterruptedException {
        Order order = shop.client().place(day);
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Completion completion = shop.client().complete(order, guarded);
            if (completion.isWritten()) {
                orders.add(new CompletedOrder(shop, completion.number()));
                completed.run();
                return;
            }
            repeated.incrementAndGet();
        }
        failures.add("The lock was lost under order %d %d times".formatted(order.id(), ATTEMPTS));
    }
}
