package io.github.zklock.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
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
            shop = new ConsoleApplication("management.endpoint.zklocks.access=unrestricted");
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
            browser.awaitText("#queue-summary", "It is free");
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
                assertThat(browser.record().requests()).noneMatch(address -> address.contains("&seat="));
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
            browser.awaitText("#queue-summary", "It is free");
            browser.record().expectErrors("zklocks.*404");

            browser.click("#release .danger");

            browser.awaitText("#release h2", "Nothing was released");
        }
    }

    @Nested
    class WhereTheUserLacksTheRight {

        private static ConsoleApplication shop;

        @BeforeAll
        static void start() {
            shop = new ConsoleApplication(
                    "management.endpoint.zklocks.access=unrestricted", "test.forbid-release=true");
        }

        @AfterAll
        static void stop() {
            shop.close();
        }

        @Test
        void theRejectionIsShownInWordsWithARemedy(Browser browser) throws Exception {
            try (LockHandle held = shop.registry().lock("/guarded").acquire()) {
                browser.open(shop.page() + "#lock=/guarded");
                browser.click("#seats .danger");
                browser.click("#release .danger");
                browser.type("#release input", "/guarded");
                browser.record().expectErrors("zklocks.*403");

                browser.click("#release .danger");

                browser.awaitText("#release h2", "Not released");
                assertThat(browser.find("#release .notice").getText())
                        .contains("(403)", "lacks the right", "csrf.spa()");
                assertThat(held.isHeld()).isTrue();
            }
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
                browser.record().expectErrors("zklocks.*405");

                Object status = browser.driver().executeAsyncScript("""
                        const done = arguments[arguments.length - 1];
                        fetch(`zklocks?name=/safe-too&seat=${arguments[0]}`, {method: 'DELETE'})
                          .then((answer) => done(answer.status));
                        """, seat);

                assertThat(status).isEqualTo(405L);
                assertThat(held.isHeld()).isTrue();
            }
        }
    }
}
