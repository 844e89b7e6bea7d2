package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page violates no rule of axe-core and fits its window, whatever the window, the theme and the number of locks. */
@RequiresBrowser
class ConsoleAccessibilityTest {

    private static final List<Integer> WIDTHS = List.of(390, 768, 1280);

    private static Axe axe;

    @BeforeAll
    static void fetch() throws Exception {
        axe = Axe.fetched();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 20, 2000})
    void thePageIsAccessible(int locks, Browser browser) throws Exception {
        try (ConsoleApplication shop = new ConsoleApplication(
                "management.endpoint.zklocks.access=unrestricted", "zk.lock.leadership[0]=/leaders/reports")) {
            ZooKeeperLockRegistry billing = shop.instance("billing-1");
            List<CompletableFuture<LockHandle>> requests = new ArrayList<>();
            for (int i = 0; i < locks; i++) {
                requests.add(billing.lock("/orders/%04d".formatted(i)).acquireAsync());
            }
            requests.forEach(CompletableFuture::join);
            // of two instances, because the requests of one instance share a seat; either may be the first in the queue
            List<CompletableFuture<Void>> waiting = Stream.of(shop.registry(), shop.instance("shop-2"))
                    .map(instance -> ConsoleApplication.ask(instance, "exec-1", "/orders/0001"))
                    .map(request -> request.thenAccept(LockHandle::close))
                    .toList();

            for (int width : WIDTHS) {
                browser.size(width, 900);
                for (boolean dark : new boolean[] {false, true}) {
                    if (dark) {
                        browser.dark();
                    } else {
                        browser.light();
                    }
                    String scene = "%d-%d-%s".formatted(locks, width, dark ? "dark" : "light");
                    // another address, because a change of the fragment alone would not load the page again
                    browser.open(shop.page() + "?scene=" + scene);
                    browser.awaitText("[data-path='/orders/0001']", "2 waiting");
                    browser.awaitTexts(
                            "#locks-count", counts -> counts.stream().noneMatch(each -> each.contains("reading")));
                    check(browser, scene);
                    browser.click("[data-path='/orders/0001']");
                    browser.awaitTexts("#seats .owner", owners -> owners.size() == 3);
                    check(browser, scene + "-queue");
                }
            }

            requests.forEach(each -> each.join().close());
            waiting.forEach(CompletableFuture::join);
        }
    }

    private static void check(Browser browser, String scene) {
        browser.screenshot("console-" + scene);
        axe.check(browser, scene);
        assertThat(ConsoleQueueTest.overflow(browser)).as(scene).isZero();
    }
}
