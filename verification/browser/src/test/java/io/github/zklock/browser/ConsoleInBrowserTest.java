package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@RequiresBrowser
class ConsoleInBrowserTest {

    private static final long PAUSE_MILLIS = 2_000;

    private static ConsoleApplication shop;
    private static ZooKeeperLockRegistry billing;

    @BeforeAll
    static void start() {
        shop = new ConsoleApplication();
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
    void aHiddenPageSendsNoRequest(Browser browser) throws Exception {
        browser.open(shop.page());
        browser.awaitText("#freshness", "Live");

        hide(browser, true);
        // an answer that was under way
        TimeUnit.MILLISECONDS.sleep(500);
        long before = requests(browser);
        TimeUnit.MILLISECONDS.sleep(3 * PAUSE_MILLIS);

        assertThat(requests(browser)).isEqualTo(before);
        hide(browser, false);
        browser.await("requests of the visible page", () -> requests(browser) > before);
    }

    @Test
    void aPagePausesForTwoSecondsAfterTheLastAnswers(Browser browser) {
        browser.open(shop.page());
        browser.awaitText("#freshness", "Live");
        browser.await("three rounds", () -> pauses(browser).size() >= 2);

        assertThat(pauses(browser))
                .last()
                .asInstanceOf(InstanceOfAssertFactories.LONG)
                .isGreaterThanOrEqualTo(PAUSE_MILLIS - 1);
    }

    /** Returns the milliseconds from the last answer of each round to the first request of the next one. */
    private static List<?> pauses(Browser browser) {
        return (List<?>) Objects.requireNonNull(browser.script("""
                const all = performance.getEntriesByType('resource').filter((each) => each.name.includes('/zklocks?'));
                const firsts = all.filter((each) => /zklocks\\?(history=true)?$/.test(each.name));
                return firsts.slice(1).map((first) => Math.round(first.startTime - Math.max(
                    ...all.filter((each) => each.startTime < first.startTime).map((each) => each.responseEnd))));"""));
    }

    private static long requests(Browser browser) {
        return (Long) Objects.requireNonNull(browser.script("return performance.getEntriesByType('resource').length"));
    }

    /** Tells the page that it is hidden, as the browser does for a page in the background. */
    private static void hide(Browser browser, boolean hidden) {
        browser.script("""
                Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });
                document.dispatchEvent(new Event('visibilitychange'));""", hidden);
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
