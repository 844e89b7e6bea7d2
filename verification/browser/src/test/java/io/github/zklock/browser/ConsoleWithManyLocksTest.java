package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

@RequiresBrowser
class ConsoleWithManyLocksTest {

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
    void searchFindsLocksOfAllPages(Browser browser) throws Exception {
        List<LockHandle> all = manyLocks("/warehouse/shelf-%03d", 300);
        browser.open(shop.page());
        browser.awaitText("#page-range", "1 to 50 of");

        browser.type("#search", "SHELF-277");

        browser.awaitTexts("#tree [role=treeitem] .label", labels -> labels.equals(List.of("/warehouse/shelf-277")));
        browser.awaitText("#locks-count", "1 of ");
        all.forEach(LockHandle::close);
    }

    @Test
    void atMostFiftyThousandNamesAreRead(Browser browser) {
        browser.open(shop.page());

        Object read = browser.driver().executeAsyncScript("""
                const done = arguments[0];
                import(new URL('sweep.js', document.querySelector('script[src]').src)).then(async ({ Sweep }) => {
                  let last = 0;
                  window.fetch = async () => {
                    const page = Array.from({ length: 500 }, () => `/lock-${last++}`);
                    return Response.json({ registries: { one: { names: { page, next: page.at(-1), queues: [] } } } });
                  };
                  const sweep = new Sweep();
                  sweep.about('one', '');
                  while (!sweep.complete && last < 100_000) {
                    await sweep.read('one', '', new AbortController().signal);
                  }
                  done(`${sweep.rows.size} of more: ${sweep.truncated}`);
                }, (error) => done(String(error)));""");

        assertThat(read).isEqualTo("50000 of more: true");
    }

    @Test
    void severalHundredLocksArePagesOfFifty(Browser browser) throws Exception {
        List<LockHandle> all = manyLocks("/pages/lock-%03d", 301);
        browser.open(shop.page() + "#under=/pages");
        browser.awaitText("#page-range", "1 to 50 of 30");

        for (int page = 1; page <= 6; page++) {
            browser.click("#next");
            browser.awaitText("#page-range", (page * 50 + 1) + " to ");
        }

        browser.await(
                "the last page ends the list", () -> !browser.find("#next").isEnabled());
        browser.awaitText("[data-path='/pages/lock-300']", "billing-1");
        assertThat(browser.all("#tree [role=treeitem]")).hasSizeLessThanOrEqualTo(50);
        browser.click("#previous");
        browser.awaitText("#page-range", "251 to 300 of");
        browser.click("#crumbs button");
        browser.await(
                "all folders are back",
                () -> browser.all("#crumbs button").stream().noneMatch(WebElement::isDisplayed));
        all.forEach(LockHandle::close);
    }

    @Test
    void keysTurnOnePageAfterTheOther(Browser browser) throws Exception {
        List<LockHandle> all = manyLocks("/keys/lock-%03d", 151);
        browser.open(shop.page() + "#under=/keys");
        browser.awaitText("#page-range", "1 to 50 of");
        browser.click("[data-path='/keys/lock-007']");
        browser.press(Keys.ESCAPE);

        browser.press(Keys.PAGE_DOWN);
        browser.awaitText("#page-range", "51 to 100 of");
        browser.press(Keys.PAGE_DOWN);

        browser.awaitText("#page-range", "101 to 150 of");
        all.forEach(LockHandle::close);
    }

    @Test
    void ofTenThousandLocksOnePageIsDrawn(Browser browser) throws Exception {
        try (ConsoleApplication depot = new ConsoleApplication()) {
            folders(depot.client(), "/locks/parcels", 10_000);
            browser.open(depot.page() + "#under=/parcels");

            browser.awaitText("#page-range", "1 to 50 of 10,000 names");

            assertThat(browser.all("#tree [role=treeitem]")).hasSizeLessThanOrEqualTo(52);
            browser.type("#search", "parcel-09876");
            browser.awaitTexts("#tree .label", labels -> labels.equals(List.of("1 free lock", "parcel-09876")));
        }
    }

    @Test
    void aLockThatIsAwaitedStandsBeforeTwoHundredFreeOnes(Browser browser) throws Exception {
        try (ConsoleApplication depot = new ConsoleApplication()) {
            folders(depot.client(), "/locks/orders", 200);
            ZooKeeperLockRegistry other = depot.instance("billing-1");
            LockHandle late = other.lock("/orders/a-late").acquire();
            LockHandle stuck = other.lock("/orders/z-stuck").acquire();
            LockHandle held = other.lock("/orders/0-held").acquire();
            CompletableFuture<LockHandle> first = ConsoleApplication.ask(depot.registry(), "exec-1", "/orders/z-stuck");
            Awaitility.await()
                    .until(() -> depot.registry()
                                    .inspector()
                                    .queue("/orders/z-stuck")
                                    .size()
                            == 2);
            CompletableFuture<LockHandle> second = ConsoleApplication.ask(depot.registry(), "exec-2", "/orders/a-late");
            Awaitility.await()
                    .until(() ->
                            depot.registry().inspector().queue("/orders/a-late").size() == 2);
            browser.open(depot.page());

            browser.awaitTexts(
                    "#tree .label",
                    labels -> labels.size() == 4
                            && labels.subList(0, 3)
                                    .equals(List.of("/orders/z-stuck", "/orders/a-late", "/orders/0-held"))
                            && labels.get(3).endsWith(" free locks"));
            browser.click("[data-path='free']");
            browser.find("[data-path='/orders/parcel-00007']");
            browser.click("[data-path='free'] .twist");
            browser.await(
                    "free locks are folded away",
                    () -> browser.all("#tree [role=treeitem]").size() == 4);

            stuck.close();
            late.close();
            held.close();
            first.get().close();
            second.get().close();
        }
    }

    /** What the locks of another day leave behind, until ZooKeeper collects it. */
    private static void folders(CuratorFramework client, String parent, int number) throws Exception {
        client.create().creatingParentsIfNeeded().forPath(parent);
        CountDownLatch made = new CountDownLatch(number);
        for (int i = 0; i < number; i++) {
            client.create()
                    .inBackground((curator, event) -> made.countDown())
                    .forPath("%s/parcel-%05d".formatted(parent, i));
        }
        assertThat(made.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private static List<LockHandle> manyLocks(String pattern, int number) {
        List<CompletableFuture<LockHandle>> wanted = IntStream.range(0, number)
                .mapToObj(i -> billing.lock(pattern.formatted(i)).acquireAsync())
                .toList();
        return wanted.stream().map(CompletableFuture::join).toList();
    }
}
