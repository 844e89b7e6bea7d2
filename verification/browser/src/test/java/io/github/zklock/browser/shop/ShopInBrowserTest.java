package io.github.zklock.browser.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.browser.Browser;
import io.github.zklock.browser.RequiresBrowser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page of a shop, of which a second instance runs on the same database and the same ZooKeeper. */
@RequiresBrowser
class ShopInBrowserTest {

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static TwoShops shops;

    @BeforeAll
    static void open() throws Exception {
        shops = TwoShops.open(Path.of("target", "two-shops").toAbsolutePath(), LONGEST);
    }

    @AfterAll
    static void close() {
        shops.close();
    }

    @AfterEach
    void openGates() throws Exception {
        shops.openGates();
    }

    @Test
    void anOrderThatIsCompletedStandsInTheStatistics(Browser browser) {
        ShopPage page = ShopPage.openOnAFreshDay(browser, shops.first());

        page.lock(true);
        page.completeOne();

        assertThat(page.tokenOfTheLatest()).isPositive();
        page.awaitVerdict("The one order is counted");
        browser.awaitText("#counted-orders", "1");
        assertThat(page.state()).isEqualTo("right");
        assertThat(browser.find("#counted-amount").getText())
                .isEqualTo(browser.find("#truth-amount").getText())
                .isNotEqualTo("€0.00");
        assertThat(browser.find("#difference-orders").getText()).isEqualTo("0");
    }

    @Test
    void aBurstUnderTheLockLosesNothing(Browser browser) {
        ShopPage page = ShopPage.openOnAFreshDay(browser, shops.first());

        page.lock(true);
        page.burst(20);

        assertThat(browser.texts("#bursts tbody tr:first-child > *")).startsWith("on", "20", "20", "0");
        page.awaitVerdict("All 20 orders are counted");
    }

    /** The picture of the README. The number of lost orders differs from run to run. */
    @Test
    void aBurstWithoutTheLockIsComparedWithTheOrders(Browser browser) {
        ShopPage page = ShopPage.openOnAFreshDay(browser, shops.first());
        page.lock(false);

        page.burst(200);

        assertThat(browser.texts("#bursts tbody tr:first-child > *")).startsWith("off", "200");
        browser.size(1280, 900);
        page.scrollTo("body");
        browser.screenshot("shop-burst");
    }

    /** No luck is needed for it: the gate keeps both between computing and writing. */
    @Test
    void twoOrdersThatOverlapWithoutTheLockAreOneInTheStatistics(Browser browser) throws Exception {
        ShopPage page = ShopPage.openOnAFreshDay(browser, shops.first());
        page.lock(false);
        shops.closeGates();
        page.completeOne();
        page.completeOne();
        shops.awaitAtFirstGate(2);

        shops.openGates();

        page.awaitVerdict("1 of 2 orders is missing");
        assertThat(page.state()).isEqualTo("wrong");
        assertThat(browser.find("#difference-orders").getText()).isEqualTo("−1");
        page.lock(true);
        page.burst(20);
        assertThat(browser.texts("#bursts tbody tr:first-child > *")).startsWith("on", "20", "20", "0");
        browser.size(1280, 1500);
        page.scrollTo("body");
        browser.screenshot("shop-light");
    }

    @Test
    void theQueueOfTheLockIsShownLiveAndTheConsoleShowsIt(Browser browser) throws Exception {
        ShopPage page = ShopPage.openOnAFreshDay(browser, shops.first());
        String day = page.day();
        page.lock(true);
        browser.awaitText("#queue-empty", "No client holds the lock");
        shops.closeGates();
        page.completeOne();
        shops.awaitAtFirstGate(1);
        page.completeOne();
        shops.completeAtTheSecond(day);

        browser.awaitTexts("#seats .seat-state", states -> states.equals(List.of("holds", "waits")));
        browser.awaitText("#seats .seat:first-child .tag", "this server");
        browser.awaitText("#seats .seat:first-child .behind", "1 thread waits behind it");
        browser.awaitText("#seats .seat:last-child .seat-who", TwoShops.SECOND);
        browser.dark();
        page.scrollTo("#queue-title");
        browser.screenshot("shop-dark");
        browser.light();
        browser.click("#console-link");
        browser.awaitText("#queue-title", "/order-stats");
        browser.awaitTexts("#seats .owner", owners -> owners.equals(List.of(TwoShops.FIRST, TwoShops.SECOND)));

        shops.openGates();

        ShopPage.open(browser, shops.first()).choose(day);
        page.awaitVerdict("All 3 orders are counted");
        browser.awaitText("#queue-empty", "No client holds the lock");
    }

    @Test
    void theKeyboardDoesWhatThePointerDoesOnAPhoneToo(Browser browser) {
        ShopPage page = ShopPage.openOnAFreshDay(browser, shops.first());
        browser.phone();
        boolean before = page.lockIsOn();

        browser.script("document.getElementById('guarded').focus()");
        browser.press(Keys.SPACE);
        browser.await("the switch is the other way round", () -> page.lockIsOn() != before);
        browser.press(Keys.SPACE);
        browser.script("document.getElementById('quantity').focus()");
        browser.press(Keys.ENTER);

        browser.awaitText("#open-orders li", "open");
        assertThat(page.fitsTheWidth()).as("nothing is cut off at 390 pixels").isTrue();
        page.burst(20);
        page.awaitVerdict("All 20 orders are counted");
        assertThat(page.fitsTheWidth()).isTrue();
        page.scrollTo("body");
        browser.screenshot("shop-phone");
    }

    @Test
    void aVisitorReadsStatisticsAndIsAskedToSignInForTheQueue(Browser browser) {
        ShopPage.open(browser, shops.first());

        browser.click("#sign-out");

        browser.awaitText("#sign-in-note", "Sign in");
        browser.awaitText("#queue-sign-in", "Sign in");
        browser.awaitText("#instance", TwoShops.FIRST);
        assertThat(browser.find("#sign-in").isDisplayed()).isTrue();
        assertThat(browser.all("#sign-out")).noneMatch(WebElement::isDisplayed);
    }

    /** Browsers send the cookies of a host to all its ports. */
    @Test
    void signingInToOneShopKeepsTheSessionOfTheOther(Browser browser) {
        ShopPage.open(browser, shops.first());
        ShopPage.open(browser, shops.second());

        browser.open(shops.first());

        browser.awaitText("#instance", TwoShops.FIRST);
        browser.awaitText("#user", "admin");
    }

    @Test
    void theScheduledJobIsShownWithWhoRanIt(Browser browser) {
        ShopPage.open(browser, shops.first());

        browser.awaitText("#job-runs tbody th", "shop-");
    }
}
