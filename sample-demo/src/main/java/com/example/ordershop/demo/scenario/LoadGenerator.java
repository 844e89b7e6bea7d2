package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.Shop;
import com.example.ordershop.demo.process.ShopClient.Completion;
import com.example.ordershop.demo.process.ShopClient.Order;
import com.example.ordershop.demo.process.ShopCluster;
import com.example.ordershop.demo.scenario.LoadRun.CompletedOrder;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that place and complete orders at the same time on a day of their own, each of them in all shops in turn. */
final class LoadGenerator {

    static final int SHOPS = 2;
    /** Number of orders of one run. */
    static final int TOTAL = 200;

    private static final int CLIENTS = 8;

    /** Attempts per order. An attempt changes nothing if its shop loses the lock. */
    private static final int ATTEMPTS = 5;

    private final List<Shop> shops;
    private final LocalDate day;
    private final boolean guarded;
    private final List<CompletedOrder> orders = Collections.synchronizedList(new ArrayList<>());
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger repeated = new AtomicInteger();

    LoadGenerator(ShopCluster cluster, boolean guarded) throws InterruptedException {
        this.shops = cluster.shops(SHOPS);
        this.day = cluster.newDay();
        this.guarded = guarded;
    }

    /** Runs all clients and waits for their end. */
    LoadRun run() throws InterruptedException {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            long begin = System.nanoTime();
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                tasks.add(client(i));
            }
            for (Future<Void> one : clients.invokeAll(tasks)) {
                one.get();
            }
            Duration time = Duration.ofNanos(System.nanoTime() - begin);
            return new LoadRun(
                    List.copyOf(orders),
                    repeated.get(),
                    List.copyOf(failures),
                    time,
                    shops.get(0).client().statistics(day));
        } catch (ExecutionException e) {
            throw new IllegalStateException("A client has failed", e.getCause());
        } finally {
            clients.shutdownNow();
        }
    }

    private Callable<Void> client(int number) {
        return () -> {
            for (int i = 0; i < TOTAL / CLIENTS; i++) {
                try {
                    completeOne(shops.get((number + i) % shops.size()));
                } catch (ScenarioException e) {
                    failures.add(String.valueOf(e.getMessage()));
                }
            }
            return null;
        };
    }

    private void completeOne(Shop shop) throws InterruptedException {
        Order order = shop.client().place(day);
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Completion completion = shop.client().complete(order, guarded);
            if (completion.written()) {
                orders.add(new CompletedOrder(shop.toString(), completion.token()));
                return;
            }
            repeated.incrementAndGet();
        }
        failures.add("The lock was lost under order %d %d times".formatted(order.id(), ATTEMPTS));
    }
}
