package com.example.ordershop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

@ShopTest
class OwnPagesOnlyTest {

    @Autowired
    MockMvcTester http;

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site", // another port of this machine
        "Origin, http://evil.example",
        "Origin, http://localhost:8081",
        "Origin, null"
    })
    void aPageOfAnotherSiteChangesNothing(String header, String value) {
        assertThat(http.post()
                        .uri("/exports/2003-01-03")
                        .header("Host", "localhost:8080")
                        .header(header, value))
                .hasStatus(HttpStatus.FORBIDDEN)
                .bodyJson()
                .extractingPath("detail")
                .isEqualTo("A page of another site has asked for this: use the shop's own page");
    }

    @Test
    void aSiteWhoseNameLeadsToThisMachineReadsNothing() {
        assertThat(http.get().uri("/statistics").header("Host", "evil.example:8080"))
                .hasStatus(HttpStatus.FORBIDDEN)
                .bodyText()
                .contains("ask for http://localhost");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080, Sec-Fetch-Site, same-origin",
        "localhost:8080, Origin, http://localhost:8080",
        "127.0.0.1:8080, Origin, http://127.0.0.1:8080",
        "[::1]:8080, X-By, hand"
    })
    void theShopsOwnPageAndCommandsByHandAreLetIn(String host, String header, String value) {
        assertThat(http.post().uri("/exports/2003-01-02").header("Host", host).header(header, value))
                .hasStatusOk();
    }
}
