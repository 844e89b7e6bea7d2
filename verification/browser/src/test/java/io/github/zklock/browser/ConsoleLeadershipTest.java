package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@RequiresBrowser
class ConsoleLeadershipTest {

    private static ConsoleApplication shop;

    @BeforeAll
    static void start() {
        shop = new ConsoleApplication("zk.lock.leadership[0]=/leaders/reports");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @Test
    void jobsHaveASectionOfTheirOwn(Browser browser) throws Exception {
        try (LockHandle run = shop.registry().lock("/jobs/price-import").acquire()) {
            browser.open(shop.page());

            browser.awaitTexts(
                    "#tree [role=treeitem] .label",
                    labels -> labels.containsAll(List.of("Jobs", "/jobs/price-import")));
            browser.awaitText("#jobs", "runs on shop-1");
            assertThat(browser.texts("#jobs .since")).containsExactly("1d", "15m");
            browser.click("[data-path='jobs']");
            browser.await(
                    "the section is folded",
                    () -> browser.all("[data-path='/jobs/price-import']").isEmpty());
            assertThat(run.isHeld()).isTrue();
        }
    }

    @Test
    void aLeadershipShowsWhetherThisInstanceLeads(Browser browser) throws Exception {
        Leadership leadership = shop.context().getBean(Leadership.class);
        ZooKeeperLockRegistry billing = shop.instance("billing-1");
        browser.open(shop.page());

        browser.awaitText("#leaderships", "/leaders/reports");
        browser.awaitText("#leaderships", "token " + leadership.token().orElseThrow());
        try (Leadership other = billing.leadership("/leaders/reports")) {
            other.start();
            browser.awaitText("[data-path='/leaders/reports']", "1 candidate");
            assertThat(browser.find("[data-path='/leaders/reports'] .waiting").getCssValue("color"))
                    .isEqualTo(browser.find("[data-path='/leaders/reports'] .holder")
                            .getCssValue("color"));
            assertThat(browser.find("[data-path='/leaders/reports'] .here").getText())
                    .isEqualTo("leads here");
            leadershipsHaveASectionOfTheirOwn(browser, billing);

            leadership.stepDown(Duration.ZERO);

            browser.awaitText("#leaderships", "candidate");
            browser.awaitText("#leaderships", "billing-1 leads");
            assertThat(browser.find("#awaited-count").getText()).isEqualTo("0");
            browser.click("#leaderships button");
            browser.awaitText("#seats", "billing-1");
        }
    }

    /** A candidate waits as long as another instance leads: that is no trouble. */
    private static void leadershipsHaveASectionOfTheirOwn(Browser browser, ZooKeeperLockRegistry billing)
            throws InterruptedException {
        try (LockHandle held = billing.lock("/orders/7").acquire()) {
            CompletableFuture<LockHandle> waiting =
                    shop.context().getBean(LockRegistry.class).lock("/orders/7").acquireAsync();

            browser.awaitTexts(
                    "#tree [role=treeitem] .label",
                    labels ->
                            Collections.indexOfSubList(labels, List.of("/orders/7", "Leaderships", "/leaders/reports"))
                                    == 0);

            waiting.cancel(false);
            assertThat(held.isHeld()).isTrue();
        }
    }
}
