package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.console.Browser.Answer;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * The callers that may load the page, read locks and release them, if Spring Security guards the management endpoints
 * and permits every other request. {@code -Dzklock.docs.rewrite=true} rewrites the table of {@code docs/console.md}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AccessTests {

    static final UserDetails CUSTOMER = User.withUsername("customer")
            .password("{noop}secret")
            .roles("CUSTOMER")
            .build();
    static final UserDetails ADMIN = User.withUsername("admin")
            .password("{noop}secret")
            .roles("ENDPOINT_ADMIN")
            .build();

    private static final Path DOCUMENT = Path.of("..", "docs", "console.md");
    private static final String BEGIN = "<!-- table access -->\n";
    private static final String PAGE = "/actuator/lockconsole";
    private static final String LOCKS = "/actuator/zklocks";

    private final WebApplicationType type;
    private final Class<?> security;
    private ConsoleApplication shop;
    private ConsoleApplication readOnlyShop;

    AccessTests(WebApplicationType type, Class<?> security) {
        this.type = type;
        this.security = security;
    }

    @BeforeAll
    void start() {
        shop = new ConsoleApplication(type, security, "management.endpoint.zklocks.access=unrestricted");
        readOnlyShop = new ConsoleApplication(type, security);
    }

    @AfterAll
    void stop() {
        shop.close();
        readOnlyShop.close();
    }

    @Test
    void theTableOfTheDocumentSaysWhatEachCallerMayDo() throws IOException {
        String table = "| Request | anonymous | user without the role | user with the role |\n|---|---|---|---|\n"
                + row(
                        "page: `GET /actuator/lockconsole`",
                        user -> browser(shop, user).get(PAGE))
                + row(
                        "data: `GET /actuator/zklocks`",
                        user -> browser(shop, user).get(LOCKS))
                + row(
                        "release with a CSRF token: `DELETE /actuator/zklocks`",
                        user -> release(shop, withToken(browser(shop, user))))
                + row("release without a CSRF token", user -> release(shop, browser(shop, user)))
                + row(
                        "release with a CSRF token, where the access is `read-only`",
                        user -> release(readOnlyShop, withToken(browser(readOnlyShop, user))));

        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(BEGIN) + BEGIN.length();
        String expected =
                document.substring(0, from) + table + document.substring(document.indexOf("<!-- end -->", from));
        if (Boolean.getBoolean("zklock.docs.rewrite")) {
            Files.writeString(DOCUMENT, expected);
        } else {
            assertThat(document)
                    .as("%s; rewrite it with -Dzklock.docs.rewrite=true", DOCUMENT)
                    .isEqualTo(expected);
        }
    }

    @Test
    void aLoggedInUserWithoutTheActuatorRoleCannotRelease() throws Exception {
        try (LockHandle held = shop.other().lock("/kept").acquire()) {
            String seat = shop.other().inspector().queue("/kept").get(0).id();

            int status = withToken(browser(shop, CUSTOMER))
                    .delete(LOCKS + "?name=/kept&seat=" + seat)
                    .status();

            assertThat(status).isEqualTo(403);
            assertThat(held.isHeld()).isTrue();
            assertThat(shop.other().inspector().queue("/kept")).hasSize(1);
        }
    }

    @Test
    void permitAllOnAnyRequestOfTheApplicationDoesNotOpenMoreThanTheEndpointHas() {
        Browser anonymous = shop.browser();

        assertThat(anonymous.get("/of-the-application").status()).isEqualTo(404);
        assertThat(anonymous.get("/zk-lock/api/state").status()).isEqualTo(404);
        for (String path : List.of(PAGE, PAGE + "/console.js", LOCKS)) {
            assertThat(anonymous.get(path).status()).as(path).isEqualTo(401);
        }
    }

    @Test
    void aForwardedHostHeaderChangesNothing() {
        Browser proxied = shop.browser().with("Host", "127.0.0.1");
        Browser foreign = shop.browser().with("Host", "shop.example.org");

        for (String path : List.of(PAGE, PAGE + "/console.js", LOCKS, "/zk-lock/api/state")) {
            assertThat(proxied.get(path).status())
                    .as(path)
                    .isEqualTo(foreign.get(path).status())
                    .isIn(401, 404);
        }
    }

    @Test
    void theTokenThatThePageSendsIsOfferedToIt() {
        String cookie = browser(shop, ADMIN).get(LOCKS).header("Set-Cookie");

        assertThat(cookie).startsWith("XSRF-TOKEN=").doesNotContainIgnoringCase("HttpOnly");
    }

    @Test
    void theHeadersOfThePageAreSentOnceBesideThoseOfSpringSecurity() {
        for (String path : List.of(PAGE, PAGE + "/console.js", PAGE + "/nothing.js")) {
            Answer answer = browser(shop, ADMIN).get(path);

            for (String header : PageHeaders.VALUES.keySet()) {
                assertThat(answer.head()
                                .lines()
                                .filter(line -> line.regionMatches(true, 0, header + ":", 0, header.length() + 1)))
                        .as("%s of %s", header, path)
                        .containsExactly(header + ": " + PageHeaders.VALUES.get(header));
            }
        }
    }

    @Test
    void aPageThatIsRefusedIsNotFramedEither() {
        assertThat(shop.browser().get(PAGE).header("X-Frame-Options")).isEqualTo("DENY");
    }

    @Test
    void aManagementPortIsGuardedAsWell() {
        try (ConsoleApplication split = new ConsoleApplication(type, security, "management.server.port=0")) {
            assertThat(split.managementBrowser().get(PAGE).status()).isEqualTo(401);
            assertThat(login(split.managementBrowser(), ADMIN).get(PAGE).status())
                    .isEqualTo(200);
        }
    }

    private static String row(String request, Function<@Nullable UserDetails, Answer> answer) {
        return "| " + request + " | "
                + Stream.of(Optional.<UserDetails>empty(), Optional.of(CUSTOMER), Optional.of(ADMIN))
                        .map(user ->
                                String.valueOf(answer.apply(user.orElse(null)).status()))
                        .collect(Collectors.joining(" | "))
                + " |\n";
    }

    /**
     * Requests the release of a lock that another process holds. Checks that the process loses the lock if and only if
     * the status is 200.
     */
    private static Answer release(ConsoleApplication application, Browser browser) {
        ZooKeeperLockRegistry other = application.other();
        LockHandle handle = other.lock("/stuck").acquireAsync().join();
        try {
            String seat = other.inspector().queue("/stuck").get(0).id();

            Answer answer = browser.delete(LOCKS + "?name=/stuck&seat=" + seat);

            if (answer.status() == 200) {
                Awaitility.await().until(() -> handle.state() == LockState.LOST);
            } else {
                assertThat(other.inspector().queue("/stuck")).hasSize(1);
                handle.close();
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while reading the queue", e);
        }
    }

    private static Browser browser(ConsoleApplication application, @Nullable UserDetails user) {
        return user == null ? application.browser() : login(application.browser(), user);
    }

    private static Browser login(Browser browser, UserDetails user) {
        byte[] credentials = (user.getUsername() + ":secret").getBytes(StandardCharsets.UTF_8);
        return browser.with("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
    }

    /** Adds the header and the cookie with the same token, as the page sends them. */
    private static Browser withToken(Browser browser) {
        return browser.with("Cookie", "XSRF-TOKEN=4d6e7d0c").with("X-XSRF-TOKEN", "4d6e7d0c");
    }
}
