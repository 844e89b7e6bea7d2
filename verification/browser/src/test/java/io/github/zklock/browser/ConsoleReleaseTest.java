package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

@RequiresBrowser
class ConsoleReleaseTest {

    @Nested
    class WhereItIsAllowed {

        private static ConsoleApplication shop;
        private static ZooKeeperLockRegistry billing;

        @BeforeAll
        static void start() {
            shop = new ConsoleApplication(
                    "management.endpoints.web.exposure.include=zklocks",
                    "management.endpoint.zklocks.access=unrestricted");
            billing = shop.instance("billing-1");
        }

        @AfterAll
        static void stop() {
            shop.close();
        }

        @Test
        void itNamesTheHolderAsksTwiceAndTakesTheLock(Browser browser) throws Exception {
            LockHandle stuck =
                    ConsoleApplication.ask(billing, "invoice-7", "/stuck").get();
            browser.open(shop.page() + "#lock=/stuck");

            browser.click("#seats .danger");

            assertThat(browser.find("#release .facts").getText())
                    .contains(
                            "/stuck",
                            "billing-1",
                            "invoice-7",
                            "pid " + ProcessHandle.current().pid(),
                            "0 wait");
            assertThat(browser.find("#release").getText()).contains("its late writes");
            browser.click("#release .danger");
            assertThat(browser.find("#release .danger").isEnabled()).isFalse();
            browser.type("#release input", "/stuc");
            assertThat(browser.find("#release .danger").isEnabled()).isFalse();
            assertThat(stuck.isHeld()).isTrue();
            browser.type("#release input", "k");
            browser.click("#release .danger");

            browser.awaitText("#release h2", "Released");
            browser.await("the holder is told", () -> stuck.state() == LockState.LOST);
            browser.click("#release button");
            browser.awaitText("#queue-summary", "Nobody holds it");
        }

        @Test
        void whoChangesTheirMindReleasesNothing(Browser browser) throws Exception {
            try (LockHandle kept = billing.lock("/kept").acquire()) {
                browser.open(shop.page() + "#lock=/kept");
                browser.click("#seats .danger");
                browser.click("#release .danger");

                browser.press(Keys.ESCAPE);

                browser.await(
                        "the dialog is closed",
                        () -> !browser.all("#release").get(0).isDisplayed());
                assertThat(kept.isHeld()).isTrue();
                assertThat(browser.find("#queue").isDisplayed()).isTrue();
                assertThat(browser.record().requests()).noneMatch(address -> address.endsWith("api/release"));
            }
        }

        @Test
        void aHolderThatWentMeanwhileIsNotHit(Browser browser) throws Exception {
            LockHandle gone = billing.lock("/gone").acquire();
            browser.open(shop.page() + "#lock=/gone");
            browser.click("#seats .danger");
            browser.click("#release .danger");
            browser.type("#release input", "/gone");
            gone.close();
            browser.awaitText("#queue-summary", "Nobody holds it");
            browser.record().expectErrors("api/release.*404");

            browser.click("#release .danger");

            browser.awaitText("#release h2", "Nothing was released");
        }
    }

    @Nested
    class WhereItIsOff {

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
        void thereIsNoButtonButTheReason(Browser browser) throws Exception {
            try (LockHandle held = shop.registry().lock("/safe").acquire()) {
                browser.open(shop.page() + "#lock=/safe");

                browser.awaitText("#seats .owner", "shop-1");

                browser.awaitText("#release-note", "Forced release is off.");
                assertThat(browser.all("#seats .danger")).noneMatch(WebElement::isDisplayed);
                assertThat(held.isHeld()).isTrue();
            }
        }

        @Test
        void aRequestThatIsMadeByHandIsRefused(Browser browser) throws Exception {
            try (LockHandle held = shop.registry().lock("/safe-too").acquire()) {
                String seat =
                        shop.registry().inspector().queue("/safe-too").get(0).id();
                browser.open(shop.page());
                browser.awaitText("#held", "/safe-too");

                HttpResponse<String> answer = post("""
                        {"registry": "zkLockRegistry", "name": "/safe-too", "seat": "%s", "confirm": "/safe-too"}\
                        """.formatted(seat));

                assertThat(answer.statusCode()).isEqualTo(403);
                assertThat(answer.body()).contains("error");
                assertThat(held.isHeld()).isTrue();
            }
        }

        private static HttpResponse<String> post(String body) throws Exception {
            URI page = URI.create(shop.page());
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(page.resolve("api/release"))
                                    .header("Content-Type", "application/json")
                                    .header("Origin", "http://" + page.getAuthority())
                                    .POST(BodyPublishers.ofString(body))
                                    .build(),
                            BodyHandlers.ofString());
        }
    }
}
