package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@RequiresBrowser
class ConsoleOutageTest {

    private static ConsoleApplication shop;

    @BeforeAll
    static void start() {
        shop = new ConsoleApplication();
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @Test
    void aStoppedApplicationIsSaidToBeUnreachableUntilItIsBack(Browser browser) throws Exception {
        shop.registry().lock("/before").acquire();
        browser.open(shop.page());
        browser.awaitText("#held", "/before");
        browser.record().expectErrors("net::ERR_CONNECTION_REFUSED|net::ERR_CONNECTION_RESET|net::ERR_EMPTY_RESPONSE");
        browser.record().expectErrors("status of 503|net::ERR_INCOMPLETE_CHUNKED_ENCODING");

        Runnable startAgain = shop.stop();
        browser.awaitText("[data-notice=unreachable]", "Not reachable since");
        assertThat(browser.find("#session-state").getText()).isEqualTo("Not reachable");
        assertThat(browser.find("#held").getText()).contains("/before");

        startAgain.run();
        // the page also retries by itself, which removes the button
        browser.script("document.querySelector('[data-notice=unreachable] button')?.click()");

        browser.await(
                "the notice is gone",
                () -> browser.all("[data-notice=unreachable]").isEmpty());
        browser.await("the past is gone", () -> browser.all("#held li").isEmpty());
        try (LockHandle held = shop.registry().lock("/after").acquire()) {
            browser.awaitText("#held", held.name().value());
        }
    }

    @Test
    void aZooKeeperThatIsGoneIsSaidAloud(Browser browser) throws Exception {
        LockHandle held = shop.registry().lock("/in-doubt").acquire();
        browser.open(shop.page());
        browser.awaitText("#session-state", "Connected");
        // a request of the page may be under way
        browser.record().expectErrors("status of 503");

        shop.zooKeeper().sever();
        try {
            browser.awaitText("#session-state", "Disconnected");
            browser.awaitText("#notices", "is disconnected from ZooKeeper");
        } finally {
            shop.zooKeeper().heal();
        }

        browser.awaitText("#session-state", "Connected");
        held.close();
    }
}
