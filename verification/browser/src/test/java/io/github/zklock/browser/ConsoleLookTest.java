package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pictures of a busy shop. {@code -Dzk-lock.scene-steps=90} fills the quarter of an hour of the charts before. */
@RequiresBrowser
class ConsoleLookTest {

    private static final int STEPS = Integer.getInteger("zk-lock.scene-steps", 2);

    /** The number of points of the first chart's line. */
    private static final String CHARTED =
            "return document.querySelector('#charts .stroke').getAttribute('d')?.match(/[ML]/g)?.length ?? 0";

    /** The least contrast of text and what is behind it, by the formula of WCAG 2. */
    private static final String CONTRAST = """
            const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
            const rgba = (colour) => {
              canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
              return [...canvas.getImageData(0, 0, 1, 1).data];
            };
            const light = (rgb) => rgb.slice(0, 3).map((c) => c / 255)
              .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
              .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const ground = (node) => {
              for (let n = node; n; n = n.parentElement) {
                const colour = rgba(getComputedStyle(n).backgroundColor);
                if (colour[3] > 250) { return colour; }
              }
              return [255, 255, 255];
            };
            return [...document.querySelectorAll('body *')]
              .filter((node) => node.checkVisibility() && !node.closest('svg, :disabled')
                && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== ''))
              .map((node) => {
                const [a, b] = [light(rgba(getComputedStyle(node).color)), light(ground(node))].sort((x, y) => y - x);
                return [(a + 0.05) / (b + 0.05), node.className + ' ' + node.textContent];
              })
              .filter(([contrast]) => contrast < 4.5)
              .map(([contrast, text]) => contrast.toFixed(2) + ': ' + text);
            """;

    private static BusyShop shop;

    @BeforeAll
    static void start() throws Exception {
        shop = new BusyShop();
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @Test
    void light(Browser browser) {
        browser.open(shop.page());
        browser.awaitText("[data-path='/order-stats']", "3 waiting");
        browser.awaitText("#awaited", "/order-stats");
        awaitSteps(browser);

        browser.screenshot("console-light");

        assertThat(background(browser)).isEqualTo("rgb(244, 246, 248)");
        assertThat(tooFaint(browser)).isEmpty();
    }

    @Test
    void aPageThatWasJustOpenedShowsThePast(Browser browser) {
        browser.open(shop.page());
        awaitSteps(browser);

        browser.driver().navigate().refresh();
        browser.awaitText("#freshness", "Live");

        assertThat(((Number) browser.script(CHARTED)).intValue()).isGreaterThanOrEqualTo(STEPS);
        assertThat(browser.texts("#charts .axis")).allMatch(axis -> axis.contains("15 min ago"));
    }

    @Test
    void dark(Browser browser) {
        browser.dark();
        browser.open(shop.page() + "#lock=/order-stats");
        browser.awaitText("#seats .owner", "shop-2");

        browser.screenshot("console-dark");

        assertThat(background(browser)).isEqualTo("rgb(14, 18, 23)");
        assertThat(tooFaint(browser)).isEmpty();
    }

    @Test
    void aQueue(Browser browser) {
        browser.open(shop.page() + "#lock=/order-stats");
        browser.awaitTexts("#seats .owner", owners -> owners.size() == 4);
        awaitSteps(browser);

        browser.screenshot("console-queue");

        assertThat(tooFaint(browser)).isEmpty();
    }

    @Test
    void aRelease(Browser browser) {
        browser.open(shop.page() + "#lock=/order-stats");
        browser.click("#seats .danger");
        browser.find("#release .facts");

        browser.screenshot("console-release");

        assertThat(browser.find("#release .facts").getText()).contains("3 wait");
    }

    @Test
    void aPhone(Browser browser) {
        browser.phone();
        browser.open(shop.page());
        browser.awaitText("[data-path='/order-stats']", "3 waiting");
        browser.screenshot("console-phone");
        assertThat(ConsoleQueueTest.overflow(browser)).isZero();

        browser.click("[data-path='/order-stats']");

        browser.awaitText("#seats .owner", "shop-2");
        browser.screenshot("console-phone-queue");
        assertThat(ConsoleQueueTest.overflow(browser)).isZero();
        assertThat(browser.script("return document.getElementById('queue').getBoundingClientRect().width"))
                .isEqualTo(390L);
    }

    @Test
    void theChoiceOfAThemeOutlivesAReload(Browser browser) {
        browser.dark();
        browser.open(shop.page());
        browser.click("#theme");
        assertThat(browser.find("#theme").getText()).isEqualTo("Theme: light");

        browser.driver().navigate().refresh();

        assertThat(browser.find("#theme").getText()).isEqualTo("Theme: light");
        assertThat(background(browser)).isEqualTo("rgb(244, 246, 248)");
    }

    @Test
    void chartsAreSaidInWords(Browser browser) {
        browser.open(shop.page());

        browser.await(
                "the charts have words and something to say",
                () -> browser.all("#charts svg").stream()
                                .allMatch(chart -> String.valueOf(chart.getDomAttribute("aria-label"))
                                        .contains(" at most"))
                        && !String.valueOf(browser.find("#charts svg").getDomAttribute("aria-label"))
                                .contains("acquired 0/s now, 0/s at most"));

        assertThat(browser.texts("#charts h2"))
                .isEqualTo(List.of("Acquisitions", "Mean wait and hold", "Held and waiting"));
        assertThat(browser.find("#charts svg").getDomAttribute("aria-label"))
                .contains("acquired", "timeouts 0/s now")
                .doesNotContain("acquired 0/s now, 0/s at most");
    }

    private static void awaitSteps(Browser browser) {
        Awaitility.await("the charts have " + STEPS + " steps")
                .atMost(Duration.ofSeconds(60 + 20L * STEPS))
                .until(() -> ((Number) browser.script(CHARTED)).intValue() >= STEPS);
    }

    private static Object background(Browser browser) {
        return browser.script("return getComputedStyle(document.body).backgroundColor");
    }

    private static Object[] tooFaint(Browser browser) {
        return ((List<?>) browser.script(CONTRAST)).toArray();
    }
}
