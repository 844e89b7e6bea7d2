package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@RequiresBrowser
class ConsoleDeadlockTest {

    private static ConsoleApplication shop;

    @BeforeAll
    static void start() {
        shop = new ConsoleApplication();
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    /** Requests a lock on a thread of this name that holds another one. */
    private static CompletableFuture<LockHandle> askUnder(
            LockHandle held, LockRegistry registry, String thread, String wanted) {
        CompletableFuture<LockHandle> answer = new CompletableFuture<>();
        Runnable work = () -> {
            try (LockContext.Scope scope = LockContext.open(held)) {
                answer.complete(registry.lock(wanted).acquire());
            } catch (InterruptedException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        };
        new Thread(work, thread).start();
        return answer;
    }

    @Test
    void requestsOfTwoProcessesThatWaitForEachOtherAreShown(Browser browser) throws Exception {
        ZooKeeperLockRegistry billing = shop.instance("billing-1");
        LockHandle order = shop.registry().lock("/orders/7").acquire();
        LockHandle statistics = billing.lock("/order-stats").acquire();
        browser.open(shop.page());
        browser.awaitText("#held", "/orders/7");

        CompletableFuture<LockHandle> here = askUnder(order, shop.registry(), "clerk", "/order-stats");
        CompletableFuture<LockHandle> there = askUnder(statistics, billing, "bookkeeper", "/orders/7");

        browser.await(
                "the chain is drawn", () -> browser.all("#deadlocks .link").size() == 3);
        List<String> links = browser.texts("#deadlocks .link");
        assertThat(links)
                .anyMatch(link -> link.contains("billing-1") && link.contains("bookkeeper"))
                .anyMatch(link -> link.contains("shop-1") && link.contains("waits for /order-stats"))
                .anyMatch(link -> link.contains("billing-1") && link.contains("waits for /orders/7"));
        Screenshots.take(browser, "console-deadlock");
        browser.click("#deadlocks button");
        browser.awaitText("#queue-title", "/order-stats");
        browser.awaitText("#seats", "billing-1");

        statistics.close();
        here.join().close();
        order.close();
        there.join().close();
    }
}
