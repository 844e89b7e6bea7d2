package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@RequiresBrowser
class ConsoleInBrowserTest {

    private static ConsoleApplication shop;
    private static ZooKeeperLockRegistry billing;

    @BeforeAll
    static void start() {
        shop = new ConsoleApplication("zk.lock.leadership[0].name=/leaders/reports");
        billing = shop.instance("billing-1");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @Test
    void aLockAppearsAndGoesWithoutAReload(Browser browser) throws Exception {
        browser.open(shop.page());
        browser.awaitText("#freshness", "Live");
        browser.script("window.neverReloaded = true");

        try (LockHandle handle = shop.registry().lock("/order-stats").acquire()) {
            browser.awaitText("[data-path='/order-stats']", "held here");
            browser.awaitText("#held", "/order-stats");
            browser.awaitText("#held", "token " + handle.fencingToken());
            browser.awaitText("#session-state", "Connected");
            browser.awaitText("#session-proof", "proven for");
        }

        browser.await("nothing is held here", () -> browser.all("#held li").isEmpty());
        assertThat(browser.script("return window.neverReloaded")).isEqualTo(true);
    }

    @Test
    void whoHoldsALockInAnotherInstanceAndHowManyWaitIsSeenInTheTree(Browser browser) throws Exception {
        browser.open(shop.page());
        LockHandle held =
                ConsoleApplication.ask(billing, "invoice-7", "/invoices/41").get();

        CompletableFuture<LockHandle> waiting = ConsoleApplication.ask(shop.registry(), "checkout-3", "/invoices/41");

        browser.awaitText("[data-path='/invoices/41']", "1 waiting");
        browser.awaitText("[data-path='/invoices/41']", "billing-1 · invoice-7");
        browser.awaitText("[data-path='/invoices/41']", "waiting here");
        browser.awaitText("#awaited", "checkout-3");
        held.close();
        waiting.get().close();
    }

    @Test
    void theLongestWaitsAreShown(Browser browser) throws Exception {
        LockHandle held =
                ConsoleApplication.ask(billing, "invoice-8", "/invoices/42").get();
        CompletableFuture<LockHandle> waiting = ConsoleApplication.ask(shop.registry(), "checkout-4", "/invoices/42");
        browser.open(shop.page());
        browser.awaitText("#awaited", "checkout-4");

        held.close();
        waiting.get().close();

        browser.awaitText("#hot", "/invoices/42");
        browser.awaitText("#hot", "1 wait");
    }

    @Test
    void aLeadershipShowsWhetherThisInstanceLeads(Browser browser) throws Exception {
        Leadership leadership = shop.context().getBean(Leadership.class);
        browser.open(shop.page());

        browser.awaitText("#leaderships", "/leaders/reports");
        browser.awaitText("#leaderships", "token " + leadership.token().orElseThrow());
        try (Leadership other = billing.leadership("/leaders/reports")) {
            other.start();
            browser.awaitText("[data-path='/leaders/reports']", "1 waiting");

            leadership.stepDown(Duration.ZERO);

            browser.awaitText("#leaderships", "candidate");
            browser.click("#leaderships button");
            browser.awaitText("#seats", "billing-1");
        }
    }

    @Test
    void aLossIsSaidAloudAndShown(Browser browser) throws Exception {
        LockHandle lost = shop.registry().lock("/lost-one").acquire();
        browser.open(shop.page());
        browser.awaitText("#held", "/lost-one");
        // a request of the page may be under way
        browser.record().expectErrors("status of 503");

        shop.zooKeeper().expireSession(shop.registry());

        browser.awaitText("[data-notice=losses]", "/lost-one");
        browser.awaitText("[data-notice=losses]", "token " + lost.fencingToken());
        assertThat(browser.script("return document.getElementById('announcer').textContent"))
                .asString()
                .contains("/lost-one was lost");
        browser.click("[data-notice=losses] button");
        browser.await(
                "the notice is gone", () -> browser.all("[data-notice=losses]").isEmpty());
    }
}
