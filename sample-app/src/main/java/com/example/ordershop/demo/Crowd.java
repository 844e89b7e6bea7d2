package com.example.ordershop.demo;

import com.example.ordershop.demo.ShopClient.Completion;
import com.example.ordershop.demo.ShopClient.Order;
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

/** Customers who order and have their orders completed, all at the same time, each going from shop to shop. */
final class Crowd {

    /** How often an order is brought again whose shop had lost the lock, so that nothing was done. */
    private static final int ATTEMPTS = 5;

    /** A completed order. */
    record Sale(ShopProcess shop, long token) {}

    /**
     * What came of it.
     *
     * @param repeated orders whose shop had lost the lock, each of which was then brought again
     * @param failures of orders that are not among the sales
     */
    record Takings(List<Sale> sales, int repeated, List<String> failures, Duration time) {

        /** In how many shops orders were completed. */
        long shops() {
            return sales.stream().map(Sale::shop).distinct().count();
        }

        /** How often the lock went from one process to another, in the order of its tokens. */
        int handOvers() {
            List<Sale> inOrder =
                    sales.stream().sorted(Comparator.comparingLong(Sale::token)).toList();
            int count = 0;
            for (int i = 1; i < inOrder.size(); i++) {
                if (inOrder.get(i).shop() != inOrder.get(i - 1).shop()) {
                    count++;
                }
            }
            return count;
        }

        /** How many different tokens were used. */
        long tokens() {
            return sales.stream().mapToLong(Sale::token).distinct().count();
        }
    }

    private final List<ShopProcess> shops;
    private final LocalDate day;
    private final boolean guarded;
    private final Load load;
    private final Runnable completed;
    private final List<Sale> sales = Collections.synchronizedList(new ArrayList<>());
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger repeated = new AtomicInteger();
    private final CountDownLatch start = new CountDownLatch(1);

    /** @param completed told of each order */
    Crowd(List<ShopProcess> shops, LocalDate day, boolean guarded, Load load, Runnable completed) {
        this.shops = shops;
        this.day = day;
        this.guarded = guarded;
        this.load = load;
        this.completed = completed;
    }

    /** Returns when all have gone home. */
    Takings visit() throws InterruptedException {
        ExecutorService customers = Executors.newFixedThreadPool(load.clients());
        try {
            List<Future<Void>> visits = new ArrayList<>();
            for (int i = 0; i < load.clients(); i++) {
                visits.add(customers.submit(customer(i)));
            }
            long begin = System.nanoTime();
            start.countDown();
            for (Future<Void> visit : visits) {
                visit.get();
            }
            Duration time = Duration.ofNanos(System.nanoTime() - begin);
            return new Takings(List.copyOf(sales), repeated.get(), List.copyOf(failures), time);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A customer has broken down", e.getCause());
        } finally {
            customers.shutdownNow();
        }
    }

    private Callable<Void> customer(int number) {
        return () -> {
            start.await();
            for (int i = 0; i < load.orders(); i++) {
                ShopProcess shop = shops.get((number + i) % shops.size());
                try {
                    order(shop);
                } catch (StageException e) {
                    failures.add(String.valueOf(e.getMessage()));
                }
            }
            return null;
        };
    }

    private void order(ShopProcess shop) throws InterruptedException {
        Order order = shop.client().place(day);
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Completion completion = shop.client().complete(order, guarded);
            if (completion.isWritten()) {
                sales.add(new Sale(shop, completion.number()));
                completed.run();
                return;
            }
            repeated.incrementAndGet();
        }
        failures.add("The lock was lost under order %d %d times".formatted(order.id(), ATTEMPTS));
    }
}
