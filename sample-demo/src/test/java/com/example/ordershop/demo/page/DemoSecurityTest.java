package com.example.ordershop.demo.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.Customer;
import com.example.ordershop.ShopTest;
import org.junit.jupiter.api.AfterEach;
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

    @AfterEach
    void theGateIsStillOpen() {
        assertThat(http.get().uri("/gate")).bodyJson().extractingPath("closed").isEqualTo(false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/shop.js", "/shop.css", "/icon.svg", "/favicon.ico", "/shop"})
    void visitorCanReadThePage(String uri) {
        assertThat(http.get().uri(uri)).hasStatusOk();
    }

    @Test
    void onlyAnAdminMovesTheGate() {
        assertThat(Customer.withCsrfToken(http.post().uri("/gate/close"))).hasStatus(HttpStatus.UNAUTHORIZED);
        assertThat(Customer.signedIn(http.post().uri("/gate/close"), "user")).hasStatus(HttpStatus.FORBIDDEN);
    }

    @Test
    void pageOfAnotherSiteCannotMoveTheGateWithTheCookiesOfAnAdmin() {
        assertThat(http.post().uri("/gate/close").headers(headers -> headers.setBasicAuth("admin", "admin-dev-only")))
                .hasStatus(HttpStatus.FORBIDDEN);
    }
}
