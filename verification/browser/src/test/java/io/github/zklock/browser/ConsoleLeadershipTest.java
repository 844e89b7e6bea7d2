package io.github.zklock.browser;

import io.github.zklock.Leadership;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@RequiresBrowser
class ConsoleLeadershipTest {

    private static ConsoleApplication shop;

    @BeforeAll
    static void start() {
        shop = new ConsoleApplication("zk.lock.leadership[0].name=/leaders/reports");
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

            leadership.stepDown(Duration.ZERO);

            browser.awaitText("#leaderships", "candidate");
            browser.click("#leaderships button");
            browser.awaitText("#seats", "billing-1");
        }
    }
}
