package io.github.zklock.browser;

import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** A shop of three instances and a billing service: some locks are held all the time, others come and go. */
final class BusyShop implements AutoCloseable {

    private static final int CLERKS = 4;

    private final ConsoleApplication shop = new ConsoleApplication(
            "management.endpoint.zklocks.access=unrestricted", "zk.lock.leadership[0]=/leaders/reports");
    private final AtomicInteger clerkNumbers = new AtomicInteger();
    private final ExecutorService clerks =
            Executors.newFixedThreadPool(CLERKS, work -> new Thread(work, "sales-" + clerkNumbers.incrementAndGet()));
    private final List<CompletableFuture<LockHandle>> held = new ArrayList<>();
    private final Leadership candidate;
    private volatile boolean closed;

    BusyShop() throws Exception {
        ZooKeeperLockRegistry first = shop.registry();
        ZooKeeperLockRegistry second = shop.instance("shop-2");
        ZooKeeperLockRegistry third = shop.instance("shop-3");
        ZooKeeperLockRegistry billing = shop.instance("billing-1");
        candidate = second.leadership("/leaders/reports");
        candidate.start();
        queue("/order-stats", second, first, third, billing);
        queue("/orders/4711", first, billing);
        queue("/orders/4712", third);
        queue("/orders/4715", second, first);
        queue("/orders/4720", billing);
        queue("/invoices/2026-11", billing, third);
        queue("/exports/2026-11-21", third);
        queue("/jobs/nightly-cleanup", second);
        queue("/jobs/price-import", first);
        queue("/stock/coffee", first, second);
        queue("/stock/tea", third);
        for (int i = 0; i < CLERKS; i++) {
            int clerk = i;
            clerks.execute(() -> work(List.of(first, second, third).get(clerk % 3)));
        }
    }

    String page() {
        return shop.page();
    }

    @Override
    public void close() {
        closed = true;
        clerks.shutdown();
        try {
            clerks.awaitTermination(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        candidate.close();
        shop.close();
    }

    private void queue(String lock, LockRegistry... instances) {
        IntStream.range(0, instances.length).forEach(i -> {
            held.add(ConsoleApplication.ask(instances[i], "http-nio-8080-exec-" + (held.size() % 9 + 1), lock));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> shop.registry().inspector().queue(lock).size() == i + 1);
        });
    }

    /** Sells goods, a few of them at the same time as others. */
    private void work(LockRegistry registry) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!closed) {
            try (LockHandle sale =
                    registry.lock("/stock/chocolate-" + random.nextInt(3)).acquire()) {
                // the work that the lock is for: nothing waits for its end
                TimeUnit.MILLISECONDS.sleep(random.nextInt(150, 500));
                sale.ensureHeld();
            } catch (InterruptedException | RuntimeException e) {
                return;
            }
        }
    }
}
