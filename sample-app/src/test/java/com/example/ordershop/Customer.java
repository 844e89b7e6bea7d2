package com.example.ordershop;

import com.jayway.jsonpath.JsonPath;
import jakarta.servlet.http.Cookie;
import java.io.UnsupportedEncodingException;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** HTTP client of the shop, signed in as {@code user}. */
public final class Customer {

    private final MockMvcTester http;

    /** Creates a client. */
    public Customer(MockMvcTester http) {
        this.http = http;
    }

    /** Returns the response to the order in this JSON text. */
    public MvcTestResult order(String json) {
        return post("/orders", json);
    }

    /** Places an order of two teas and returns its number. */
    public long orderedTea(String day) {
        MvcTestResult placed = order(
                "{'day':'%s', 'product':'tea', 'quantity':2}".formatted(day).replace('\'', '"'));
        return ((Number) JsonPath.read(bodyOf(placed), "$.id")).longValue();
    }

    /** Returns the response to the request to complete the order. */
    public MvcTestResult complete(long order) {
        return post("/orders/" + order + "/complete", "");
    }

    /** Returns the response to a POST request with a JSON text. */
    public MvcTestResult post(String uri, String json) {
        return signedIn(http.post().uri(uri), "user")
                .contentType(MediaType.APPLICATION_JSON)
                .content(json)
                .exchange();
    }

    /** Returns the response to a GET request. */
    public MvcTestResult get(String uri) {
        return signedIn(http.get().uri(uri), "user").exchange();
    }

    /** Adds the credentials of this account and a CSRF token. */
    public static MockMvcTester.MockMvcRequestBuilder signedIn(
            MockMvcTester.MockMvcRequestBuilder request, String user) {
        return withCsrfToken(request).headers(headers -> headers.setBasicAuth(user, user + "-dev-only"));
    }

    /** Adds a CSRF token, as the cookie and as the header. */
    public static MockMvcTester.MockMvcRequestBuilder withCsrfToken(MockMvcTester.MockMvcRequestBuilder request) {
        return request.cookie(new Cookie("XSRF-TOKEN", "test")).header("X-XSRF-TOKEN", "test");
    }

    private static String bodyOf(MvcTestResult answer) {
        try {
            return answer.getResponse().getContentAsString();
        } catch (UnsupportedEncodingException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
