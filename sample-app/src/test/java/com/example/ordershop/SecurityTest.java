package com.example.ordershop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import jakarta.servlet.http.Cookie;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@ShopTest
class SecurityTest {

    @Autowired
    MockMvcTester http;

    @Autowired
    LockRegistry locks;

    @ParameterizedTest
    @ValueSource(strings = {"/statistics", "/statistics/report", "/actuator/health"})
    void visitorCanReadTheStatistics(String uri) {
        assertThat(http.get().uri(uri)).hasStatusOk();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /actuator/zklocks",
        "GET, /actuator/lockconsole",
        "GET, /actuator/metrics",
        "POST, /orders",
        "POST, /orders/1/complete",
        "POST, /stock/tea/take",
        "POST, /exports/2003-01-02",
        "DELETE, /actuator/zklocks"
    })
    void visitorMustSignInForAllElse(HttpMethod method, String uri) {
        assertThat(Customer.withCsrfToken(http.method(method).uri(uri))).hasStatus(HttpStatus.UNAUTHORIZED);
    }

    @Test
    void userCanReadLocksButNotReleaseThem() throws Exception {
        try (LockHandle handle = locks.lock("/orders/1").acquire()) {
            assertThat(Customer.signedIn(http.get().uri("/actuator/zklocks"), "user"))
                    .hasStatusOk();
            assertThat(Customer.signedIn(http.delete().uri(seatOf("/orders/1")), "user"))
                    .hasStatus(HttpStatus.FORBIDDEN);
            assertThat(Customer.signedIn(http.get().uri("/actuator/metrics"), "user"))
                    .hasStatus(HttpStatus.FORBIDDEN);

            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void adminCanReleaseLocks() throws Exception {
        LockHandle handle = locks.lock("/orders/1").acquire();

        assertThat(Customer.signedIn(http.delete().uri(seatOf("/orders/1")), "admin"))
                .hasStatus2xxSuccessful();

        assertThat(handle.isHeld()).isFalse();
    }

    /** A page of another site can make the browser send its cookies, but cannot read the token in them. */
    @ParameterizedTest
    @ValueSource(strings = {"", "guessed"})
    void requestWithoutTheTokenOfTheCookieIsRejected(String token) {
        assertThat(http.post()
                        .uri("/exports/2003-01-02")
                        .headers(headers -> headers.setBasicAuth("user", "user-dev-only"))
                        .cookie(new Cookie("XSRF-TOKEN", "test"))
                        .header("X-XSRF-TOKEN", token))
                .hasStatus(HttpStatus.FORBIDDEN);
    }

    @Test
    void browserIsSentToTheLoginPageAndSignsInThere() {
        assertThat(http.get().uri("/actuator/lockconsole").accept(MediaType.TEXT_HTML))
                .hasStatus(HttpStatus.FOUND)
                .hasRedirectedUrl("/login");
        assertThat(http.get().uri("/login")).hasStatusOk().bodyText().contains("name=\"password\"");

        assertThat(Customer.withCsrfToken(http.post().uri("/login"))
                        .param("username", "admin")
                        .param("password", "admin-dev-only"))
                .hasStatus(HttpStatus.FOUND)
                .hasRedirectedUrl("/");
        assertThat(Customer.withCsrfToken(http.post().uri("/login"))
                        .param("username", "admin")
                        .param("password", "user-dev-only"))
                .hasRedirectedUrl("/login?error");
    }

    private String seatOf(String lock) throws InterruptedException {
        return "/actuator/zklocks" + lock + "?seat="
                + locks.inspector().queue(lock).get(0).id();
    }
}
