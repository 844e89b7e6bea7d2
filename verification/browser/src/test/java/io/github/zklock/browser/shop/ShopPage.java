package io.github.zklock.browser.shop;

import io.github.zklock.browser.Browser;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The shop's page as somebody uses it who sees it for the first time. */
final class ShopPage {

    private static final Pattern TOKEN = Pattern.compile("completed under token (\\d+)");

    private final Browser browser;

    private ShopPage(Browser browser) {
        this.browser = browser;
    }

    /** On a day on which nothing was sold. */
    static ShopPage openOnAFreshDay(Browser browser, String address) {
        ShopPage page = open(browser, address);
        String before = page.day();
        browser.click("#fresh-day");
        browser.await("the day is another one", () -> !page.day().equals(before));
        page.awaitVerdict("No completed order yet");
        return page;
    }

    static ShopPage open(Browser browser, String address) {
        signIn(browser, address);
        browser.await(
                "products are offered", () -> !browser.all("#product option").isEmpty());
        return new ShopPage(browser);
    }

    /** Signs in as an administrator. The login page leads to the shop. */
    private static void signIn(Browser browser, String address) {
        browser.open(address + "/login");
        browser.type("#username", "admin");
        browser.type("#password", "admin-dev-only");
        browser.click("button[type=submit]");
        browser.awaitText("#user", "admin");
    }

    void lock(boolean on) {
        if (lockIsOn() != on) {
            browser.click(".switch");
        }
    }

    boolean lockIsOn() {
        return Boolean.TRUE.equals(browser.script("return document.getElementById('guarded').checked"));
    }

    String day() {
        return String.valueOf(browser.script("return document.getElementById('day').value"));
    }

    void choose(String day) {
        browser.script(
                "const day = document.getElementById('day'); day.value = arguments[0];"
                        + "day.dispatchEvent(new Event('change'))",
                day);
    }

    /** Places one order and presses its button, and does not wait for what becomes of it. */
    void completeOne() {
        int before = browser.all("#open-orders li").size();
        browser.click("#place");
        browser.await(
                "one more order is listed", () -> browser.all("#open-orders li").size() == before + 1);
        browser.click("#open-orders li:first-child button");
    }

    /** The token under which the latest order of this page was completed; waits for that. */
    long tokenOfTheLatest() {
        browser.awaitText("#open-orders li:first-child .order-state", "completed under token");
        Matcher found = TOKEN.matcher(
                browser.find("#open-orders li:first-child .order-state").getText());
        if (!found.matches()) {
            throw new AssertionError("No token in the first of " + browser.texts("#open-orders li"));
        }
        return Long.parseLong(found.group(1));
    }

    /** Completes many orders at once, to their end. */
    void burst(int orders) {
        int before = browser.all("#bursts tbody tr").size();
        browser.script(
                "const size = document.getElementById('burst-size'); size.value = arguments[0];"
                        + "size.dispatchEvent(new Event('change'))",
                Integer.toString(orders));
        browser.awaitText("#burst", "Complete " + orders + " orders");
        browser.click("#burst");
        browser.await(
                "the burst is told of", () -> browser.all("#bursts tbody tr").size() == before + 1);
    }

    void awaitVerdict(String text) {
        browser.awaitText("#verdict", text);
    }

    /** {@code empty}, {@code right} or {@code wrong}. */
    String state() {
        return String.valueOf(browser.script("return document.getElementById('result').dataset.state"));
    }

    void scrollTo(String css) {
        browser.script("document.querySelector(arguments[0]).scrollIntoView()", css);
    }

    boolean fitsTheWidth() {
        return Boolean.TRUE.equals(
                browser.script("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"));
    }
}
