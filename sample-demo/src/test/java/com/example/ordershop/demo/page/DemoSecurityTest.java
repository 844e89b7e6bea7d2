package com.example.ordershop.demo.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.Customer;
import com.example.ordershop.ShopTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@ShopTest
class DemoSecurityTest {

    @Autowired
    MockMvcTester http;

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/shop.js", "/shop.css", "/icon.svg", "/favicon.ico", "/demonstration"})
    void visitorCanReadThePage(String uri) {
        assertThat(http.get().uri(uri)).hasStatusOk();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/demonstration/off", "/gate/close"})
    void onlyAnAdminStartsScenariosAndMovesTheGate(String uri) {
        assertThat(Customer.withCsrfToken(http.post().uri(uri))).hasStatus(HttpStatus.UNAUTHORIZED);
        assertThat(Customer.signedIn(http.post().uri(uri), "user")).hasStatus(HttpStatus.FORBIDDEN);

        assertThat(http.get().uri("/demonstration"))
                .bodyJson()
                .extractingPath("running")
                .isEqualTo(false);
        assertThat(http.get().uri("/gate")).bodyJson().extractingPath("closed").isEqualTo(false);
    }

    @Test
    void pageOfAnotherSiteStartsNoScenarioWithTheCookiesOfAnAdmin() {
        assertThat(http.post()
                        .uri("/demonstration/off")
                        .headers(headers -> headers.setBasicAuth("admin", "admin-dev-only")))
                .hasStatus(HttpStatus.FORBIDDEN);

        assertThat(http.get().uri("/demonstration"))
                .bodyJson()
                .extractingPath("running")
                .isEqualTo(false);
    }
}
