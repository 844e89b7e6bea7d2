package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

@RequiresBrowser
class ConsoleKeyboardTest {

    private static final List<LockHandle> HELD = new ArrayList<>();
    private static ConsoleApplication shop;

    @BeforeAll
    static void start() throws Exception {
        shop = new ConsoleApplication();
        for (String name : List.of("/exports/today", "/order-stats", "/orders/1", "/orders/2")) {
            HELD.add(shop.registry().lock(name).acquire());
        }
        for (String free : List.of("/locks/a/1", "/locks/a/2")) {
            shop.client().create().creatingParentsIfNeeded().forPath(free);
        }
    }

    @AfterAll
    static void stop() {
        HELD.forEach(LockHandle::close);
        shop.close();
    }

    @Test
    void allOfItIsReachedWithoutAMouse(Browser browser) {
        browser.open(shop.page());
        browser.find("[data-path='/orders/2']");

        browser.press(Keys.TAB);
        assertThat(focus(browser, "id")).isEqualTo("skip");
        browser.press(Keys.ENTER);
        browser.await(
                "the first row has the focus", () -> focus(browser, "data-path").equals(firstPath(browser)));
        assertThat(browser.script("return getComputedStyle(document.activeElement).outlineStyle"))
                .isEqualTo("solid");
        browser.await("the next row has the focus", () -> {
            browser.press(Keys.DOWN);
            return focus(browser, "data-path").equals("/order-stats");
        });
        browser.press(Keys.ENTER);
        browser.awaitText("#queue-title", "/order-stats");
        assertThat(focus(browser, "id")).isEqualTo("queue-title");
        browser.press(Keys.ESCAPE);
        browser.await("the queue is closed", () -> !browser.all("#queue").get(0).isDisplayed());
        assertThat(focus(browser, "data-path")).isEqualTo("/order-stats");
    }

    @Test
    void freeLocksAndTheirFoldersOpenAndCloseByArrows(Browser browser) {
        browser.open(shop.page());
        browser.find("[data-path='free']");
        browser.press(Keys.TAB, Keys.ENTER);
        browser.press(Keys.END);
        browser.await(
                "the row of free locks has the focus",
                () -> focus(browser, "data-path").equals("free"));

        browser.press(Keys.RIGHT);
        browser.find("[data-path='/a/2']");
        browser.press(Keys.RIGHT);
        assertThat(focus(browser, "data-path")).isEqualTo("/a");
        browser.press(Keys.LEFT);
        assertThat(focus(browser, "aria-expanded")).isEqualTo("false");
        assertThat(browser.all("[data-path='/a/2']")).isEmpty();
        browser.press(Keys.RIGHT, Keys.RIGHT);

        assertThat(focus(browser, "data-path")).isEqualTo("/a/1");
        browser.press(Keys.HOME);
        assertThat(focus(browser, "data-path")).isEqualTo(firstPath(browser));
        browser.press(Keys.END);
        assertThat(focus(browser, "data-path")).isEqualTo(lastPath(browser));
    }

    @Test
    void folderOfFreeLocksIsNotTakenForTheLockOfItsName(Browser browser) throws Exception {
        try (LockHandle used = shop.registry().lock("/a").acquire()) {
            browser.open(shop.page());
            browser.find("[data-row='/a']");
            browser.find("[data-path='free']");
            browser.press(Keys.TAB, Keys.ENTER);
            browser.press(Keys.END);
            browser.await(
                    "the row of free locks has the focus",
                    () -> focus(browser, "data-row").equals("free"));

            browser.press(Keys.RIGHT);
            browser.find("[data-row='/a/2']");
            browser.press(Keys.DOWN);
            assertThat(focus(browser, "data-row")).isEqualTo("/a/");
            browser.press(Keys.DOWN);
            assertThat(focus(browser, "data-row")).isEqualTo("/a/1");
            browser.press(Keys.LEFT);
            assertThat(focus(browser, "data-row")).isEqualTo("/a/");
            assertThat(used.isHeld()).isTrue();
        }
    }

    @Test
    void aSlashSearchesAndEscapeLeavesTheSearch(Browser browser) {
        browser.open(shop.page());
        browser.find("[data-path='/orders/2']");

        browser.press("/");
        assertThat(focus(browser, "id")).isEqualTo("search");
        browser.press("stats");
        browser.awaitTexts("#tree .label", labels -> labels.equals(List.of("/order-stats")));
        browser.press(Keys.ESCAPE);

        browser.awaitTexts("#tree .label", labels -> labels.contains("/exports/today"));
        assertThat(browser.find("#search").getDomProperty("value")).isEmpty();
        assertThat(focus(browser, "role")).isIn("treeitem", "tree");
    }

    @Test
    void updatesLeaveTheFocusWhereItIs(Browser browser) {
        browser.open(shop.page());
        browser.click("[data-path='/orders/1']");
        browser.press(Keys.ESCAPE);
        browser.await("the row has the focus", () -> focus(browser, "data-path").equals("/orders/1"));
        String before = browser.find("#freshness").getText();

        LockHandle above = shop.registry().lock("/accounts").acquireAsync().join();

        browser.find("[data-path='/accounts']");
        assertThat(browser.find("#freshness").getText()).isNotEqualTo(before);
        assertThat(focus(browser, "data-path")).isEqualTo("/orders/1");
        above.close();
    }

    private static String firstPath(Browser browser) {
        return browser.find("#tree [role=treeitem]").getDomAttribute("data-path");
    }

    private static String lastPath(Browser browser) {
        return browser.find("#tree [role=treeitem]:last-child").getDomAttribute("data-path");
    }

    private static String focus(Browser browser, String attribute) {
        return String.valueOf(browser.script("return document.activeElement.getAttribute(arguments[0])", attribute));
    }
}
