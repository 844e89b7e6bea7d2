package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@RequiresBrowser
class ConsoleQueueTest {

    private static final int SHOWN = 200;

    private static ConsoleApplication shop;
    private static ZooKeeperLockRegistry second;
    private static ZooKeeperLockRegistry third;

    @BeforeAll
    static void start() {
        shop = new ConsoleApplication();
        second = shop.instance("shop-2");
        third = shop.instance("shop-3");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @Test
    void theHolderStandsFirstAndThoseBehindMoveUpWhenItLeaves(Browser browser) throws Exception {
        LockHandle first =
                ConsoleApplication.ask(second, "exec-1", "/order-stats").get();
        CompletableFuture<LockHandle> next = waitingAs(2, shop.registry(), "exec-2", "/order-stats");
        CompletableFuture<LockHandle> last = waitingAs(3, third, "exec-3", "/order-stats");
        browser.open(shop.page());

        browser.click("[data-path='/order-stats']");

        browser.awaitTexts("#seats .owner", owners -> owners.equals(List.of("shop-2", "shop-1", "shop-3")));
        assertThat(browser.texts("#seats .place")).containsExactly("HOLDS", "1", "2");
        assertThat(browser.texts("#seats .thread")).containsExactly("exec-1", "exec-2", "exec-3");
        assertThat(browser.find("#seats .host").getText())
                .contains("pid " + ProcessHandle.current().pid());
        assertThat(browser.find("#seats .since").getDomAttribute("title")).matches("20\\d\\d-\\d\\d-\\d\\d .*");
        assertThat(browser.find("#queue-summary").getText()).isEqualTo("1 holder, 2 waiters.");

        first.close();

        browser.awaitTexts("#seats .owner", owners -> owners.equals(List.of("shop-1", "shop-3")));
        browser.awaitText("#seats .seat[data-holds] .mine", "this instance");
        browser.awaitText(
                "#seats .seat[data-holds] .token", "token " + next.get().fencingToken());
        next.get().close();
        last.get().close();
        browser.awaitText("#queue-summary", "It is free: no holder and no waiter.");
    }

    @Test
    void ofALongQueueTheFrontIsShownAndTheRestIsCounted(Browser browser) throws Exception {
        for (int seat = 0; seat < SHOWN + 5; seat++) {
            shop.client()
                    .create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                    .forPath("/locks/long-queue/_c_" + UUID.randomUUID() + "-lock-");
        }
        browser.open(shop.page());

        browser.click("[data-path='/long-queue']");

        browser.awaitTexts("#seats .place", places -> places.size() == SHOWN);
        browser.awaitText("#queue-rest", "and 5 further seats");
    }

    @Test
    void aSemaphoreShowsTheNumberOfPermitsOfEachRequest(Browser browser) throws Exception {
        try (LockHandle held = second.semaphore("/counted", 8).permits(2).acquire()) {
            browser.open(shop.page());

            browser.click("[data-path='/counted']");

            browser.awaitText("#seats .kind", "2 of 8 permits");
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void anOpenQueueSurvivesAReload(Browser browser) throws Exception {
        try (LockHandle held = second.lock("/kept-open").acquire()) {
            browser.open(shop.page());
            browser.click("[data-path='/kept-open']");
            browser.awaitText("#seats .owner", "shop-2");

            browser.driver().navigate().refresh();

            browser.awaitText("#seats .owner", "shop-2");
            browser.awaitText("#queue-title", held.name().value());
            browser.click("#queue-close");
            browser.await(
                    "the queue is closed", () -> !browser.all("#queue").get(0).isDisplayed());
        }
    }

    @Test
    void namesThatArePartOfAnAttackAreTextAndNothingElse(Browser browser) throws Exception {
        String markup = "<img src=x onerror=alert(1)>";
        String quotes = "\"quotes'&amp;";
        String backwards = "abc\u202egpj.exe";
        String endless = "x".repeat(480);
        ZooKeeperLockRegistry stranger = shop.instance("<script>alert(2)</script>");
        List<LockHandle> held = List.of(
                ConsoleApplication.ask(stranger, "<b onclick=alert(3)>" + "y".repeat(10_000), "/hostile/" + markup)
                        .get(),
                stranger.lock("/hostile/" + quotes).acquire(),
                stranger.lock("/hostile/" + backwards).acquire(),
                stranger.lock("/hostile/" + endless).acquire());
        browser.open(shop.page() + "#under=/hostile");

        browser.awaitTexts(
                "#tree .label",
                labels -> labels.containsAll(
                                List.of("/hostile/" + markup, "/hostile/" + quotes, "/hostile/abc\\u202egpj.exe"))
                        && labels.stream().anyMatch(label -> label.startsWith("/hostile/xxx")));
        browser.all("#tree [role=treeitem]").stream()
                .filter(row -> row.getText().contains(markup))
                .findFirst()
                .orElseThrow()
                .click();

        browser.awaitText("#queue-title", "/hostile/" + markup);
        browser.awaitText("#seats .owner", "<script>alert(2)</script>");
        browser.awaitText("#seats .thread", "<b onclick=alert(3)>yyy");
        assertThat(browser.all("main img, main script, main b[onclick]")).isEmpty();
        assertThat(overflow(browser)).isZero();
        held.forEach(LockHandle::close);
    }

    @Test
    void anOwnerWhoseTimeIsNoDateOfABrowserIsShownAllTheSame(Browser browser) throws Exception {
        String seat = shop.client()
                .create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                .forPath(
                        "/locks/odd-time/_c_5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11-lock-",
                        "{\"instance\":\"till-9\",\"since\":\"+1000000000-12-31T23:59:59Z\"}"
                                .getBytes(StandardCharsets.UTF_8));
        browser.open(shop.page() + "#lock=/odd-time");

        browser.awaitText("#seats .owner", "till-9");
        browser.awaitText("#session-state", "Connected");
        shop.client().delete().forPath(seat);
    }

    static long overflow(Browser browser) {
        Object pixels =
                browser.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
        return ((Number) pixels).longValue();
    }

    /** Asks, and waits until the queue is so long: the order of the queue is the order of the test. */
    private static CompletableFuture<LockHandle> waitingAs(
            int place, ZooKeeperLockRegistry registry, String thread, String lock) {
        CompletableFuture<LockHandle> future = ConsoleApplication.ask(registry, thread, lock);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> shop.registry().inspector().queue(lock).size() == place);
        return future;
    }
}
