package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.Leadership;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
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
    void aLeadershipShowsWhetherThisInstanceLeads(Browser browser) throws Exception {
        Leadership leadership = shop.context().getBean(Leadership.class);
        ZooKeeperLockRegistry billing = shop.instance("billing-1");
        browser.open(shop.page());

        browser.awaitText("#leaderships", "/leaders/reports");
        browser.awaitText("#leaderships", "token " + leadership.token().orElseThrow());
        try (Leadership other = billing.leadership("/leaders/reports")) {
            other.start();
            browser.awaitText("[data-path='/leaders/reports']", "1 waiting");
            aCandidateStandsBehindTheLocksThatSomebodyWaitsFor(browser, billing);

            leadership.stepDown(Duration.ZERO);

            browser.awaitText("#leaderships", "candidate");
            browser.click("#leaderships button");
            browser.awaitText("#seats", "billing-1");
        }
    }

    /** A candidate waits as long as another instance leads: that is no trouble. */
    private static void aCandidateStandsBehindTheLocksThatSomebodyWaitsFor(
            Browser browser, ZooKeeperLockRegistry billing) throws InterruptedException {
        try (LockHandle held = billing.lock("/orders/7").acquire()) {
            CompletableFuture<LockHandle> waiting =
                    shop.context().getBean(LockRegistry.class).lock("/orders/7").acquireAsync();

            browser.awaitTexts(
                    "#tree [role=treeitem] .label", labels -> labels.equals(List.of("/orders/7", "/leaders/reports")));

            waiting.cancel(false);
            assertThat(held.isHeld()).isTrue();
        }
    }
}
