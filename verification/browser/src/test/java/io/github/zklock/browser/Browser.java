package io.github.zklock.browser;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;

/**
 * One page in a real browser, 1280 by 900, light. Elements are named by CSS selectors. Whatever waits does so for a
 * minute. Not thread-safe.
 */
public final class Browser implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Dimension DESK = new Dimension(1280, 900);

    private final Chromium chromium;
    private final ChromeDriver driver;
    private final PageRecord record;

    Browser(Chromium chromium) {
        this.chromium = chromium;
        this.driver = chromium.driver();
        this.record = new PageRecord(driver);
    }

    /** For what has no method here. */
    public ChromeDriver driver() {
        return driver;
    }

    /** What the page did besides being shown. */
    public PageRecord record() {
        return record;
    }

    public void open(String address) {
        driver.get(address);
    }

    /** The first match, as soon as it is there and visible. */
    public WebElement find(String css) {
        await("'" + css + "' is visible", () -> all(css).stream().anyMatch(WebElement::isDisplayed));
        return all(css).stream().filter(WebElement::isDisplayed).findFirst().orElseThrow();
    }

    /** All matches of this instant, also those that are not visible. */
    public List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** The visible texts of all matches of this instant. */
    public List<String> texts(String css) {
        return all(css).stream().map(WebElement::getText).toList();
    }

    public void click(String css) {
        find(css).click();
    }

    public void type(String css, CharSequence text) {
        find(css).sendKeys(text);
    }

    /** Keys for whatever has the focus, pressed one after the other. */
    public void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    public @Nullable Object script(String javascript, Object... arguments) {
        return driver.executeScript(javascript, arguments);
    }

    /** Waits until this is so. An element that the page replaced meanwhile is looked for again. */
    public void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(LONGEST)
                .ignoreExceptionsMatching(
                        e -> e instanceof StaleElementReferenceException || e instanceof NoSuchElementException)
                .until(condition);
    }

    /** Waits until a match shows this text. */
    public void awaitText(String css, String text) {
        await("'" + css + "' shows '" + text + "'", () -> texts(css).stream().anyMatch(each -> each.contains(text)));
    }

    /** Waits until the texts of all matches are so. */
    public void awaitTexts(String css, Predicate<List<String>> wanted) {
        await("'" + css + "' is as wanted", () -> wanted.test(texts(css)));
    }

    public void light() {
        media("light");
    }

    public void dark() {
        media("dark");
    }

    /** A phone of 390 by 844 with two device pixels for each and a finger. */
    public void phone() {
        metrics(390, 844, 2, true);
    }

    public void size(int width, int height) {
        metrics(width, height, 1, false);
    }

    /** The window as {@code target/screenshots/<name>.png}. */
    public Path screenshot(String name) {
        return Screenshots.take(this, name);
    }

    /** An empty page with nothing in its memory. */
    void beginPage() {
        String before = driver.getWindowHandle();
        driver.switchTo().newWindow(WindowType.TAB);
        String own = driver.getWindowHandle();
        driver.switchTo().window(before).close();
        driver.switchTo().window(own);
        // the console asks nothing while nobody can see it
        driver.executeCdpCommand("Page.bringToFront", Map.of());
        driver.executeCdpCommand("Storage.clearDataForOrigin", Map.of("origin", "*", "storageTypes", "all"));
        record.begin();
        size(DESK.getWidth(), DESK.getHeight());
        light();
    }

    @Override
    public void close() {
        chromium.close();
    }

    private void media(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    private void metrics(int width, int height, int pixels, boolean phone) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", pixels, "mobile", phone));
        driver.executeCdpCommand("Emulation.setTouchEmulationEnabled", Map.of("enabled", phone));
    }
}
