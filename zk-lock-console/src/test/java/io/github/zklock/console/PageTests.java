package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.console.Browser.Answer;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

/** The files of the page, with both kinds of web server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PageTests {

    private static final String PAGE = "/actuator/lockconsole";
    private static final Pattern ADDRESS = Pattern.compile("(?:href|src)=\"([^#\"]+)\"");

    private final WebApplicationType type;
    private ConsoleApplication shop;

    PageTests(WebApplicationType type) {
        this.type = type;
    }

    @BeforeAll
    void start() {
        shop = new ConsoleApplication(type, ConsoleApplication.Plain.class);
    }

    @AfterAll
    void stop() {
        shop.close();
    }

    @Test
    void thePageIsServedBesideTheEndpointFromWhichItReads() {
        Answer page = shop.browser()
                .with("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
                .get(PAGE);

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type").replace(" ", "")).isEqualToIgnoringCase("text/html;charset=utf-8");
        assertThat(page.body()).contains("data-locks=\"zklocks\"");
        assertThat(shop.browser().get("/actuator/zklocks").status()).isEqualTo(200);
    }

    @Test
    void eachFileThatThePageNamesIsServed() {
        List<String> files = addresses(shop.browser().get(PAGE).body());

        assertThat(files)
                .hasSizeGreaterThan(3)
                .allSatisfy(file -> assertThat(
                                shop.browser().get("/actuator/" + file).status())
                        .as(file)
                        .isEqualTo(200));
    }

    @ParameterizedTest
    @CsvSource({"console.css, text/css", "console.js, text/javascript", "icon.svg, image/svg+xml"})
    void aFileHasItsOwnType(String file, String contentType) {
        Answer answer = shop.browser().with("Accept", "*/*").get(PAGE + "/" + file);

        assertThat(answer.header("Content-Type")).startsWith(contentType);
        assertThat(answer.body()).isNotBlank();
    }

    @Test
    void thePageMayLoadNothingFromElsewhere() {
        String html = shop.browser().get(PAGE).body();

        assertThat(html)
                .containsSubsequence(
                        "http-equiv=\"Content-Security-Policy\"",
                        "default-src 'none'",
                        "script-src 'self'",
                        "connect-src 'self'",
                        "<link")
                .doesNotContain("http://", "https://", "style=", "onclick", "unsafe");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {PAGE, PAGE + "/console.js", PAGE + ";a=b", "/actuator/lock%63onsole", "/actuator;a/lockconsole"})
    void thePageIsNotFramed(String path) {
        Answer answer = shop.browser().get(path);

        assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Content-Security-Policy"))
                .contains(
                        "default-src 'none'",
                        "script-src 'self'",
                        "style-src 'self'",
                        "form-action 'none'",
                        "base-uri 'none'",
                        "require-trusted-types-for 'script'",
                        "frame-ancestors 'none'")
                .doesNotContain("unsafe");
    }

    @Test
    void otherAnswersOfTheApplicationHaveTheirOwnHeaders() {
        assertThat(shop.browser().get("/actuator/zklocks").header("Content-Security-Policy"))
                .isEmpty();
        assertThat(shop.browser().get("/lockconsole-of-the-shop").header("X-Frame-Options"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "index.html",
                "nothing.js",
                "LockConsoleEndpoint.class",
                "..%2Fconsole%2Fconsole.js",
                "%2e%2e",
                "console.js/more",
                "application.yml"
            })
    void nothingElseIsServed(String file) {
        assertThat(shop.browser().get(PAGE + "/" + file).status()).isIn(400, 404);
    }

    @Test
    void addressesFollowTheMappingOfThePathsOfEndpoints() {
        try (ConsoleApplication mapped = new ConsoleApplication(
                type,
                ConsoleApplication.Plain.class,
                "management.endpoints.web.base-path=/manage",
                "management.endpoints.web.path-mapping.lockconsole=ops/page",
                "management.endpoints.web.path-mapping.zklocks=queues")) {
            Answer page = mapped.browser().get("/manage/ops/page");

            assertThat(page.body()).contains("data-locks=\"../queues\"");
            assertThat(page.header("X-Frame-Options")).isEqualTo("DENY");
            assertThat(addresses(page.body())).contains("page/console.js");
            assertThat(mapped.browser().get("/manage/ops/page/console.js").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aManagementPortHasThePageAndThePortOfTheApplicationHasNot() {
        try (ConsoleApplication split = new ConsoleApplication(
                type,
                ConsoleApplication.Plain.class,
                "management.server.port=0",
                "management.server.address=127.0.0.1")) {
            assertThat(split.managementBrowser().get(PAGE).status()).isEqualTo(200);
            assertThat(split.managementBrowser().get(PAGE).header("X-Frame-Options"))
                    .isEqualTo("DENY");
            assertThat(split.managementBrowser().get(PAGE + "/console.js").status())
                    .isEqualTo(200);
            assertThat(split.browser().get(PAGE).status()).isEqualTo(404);
        }
    }

    private static List<String> addresses(String html) {
        return ADDRESS.matcher(html)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
