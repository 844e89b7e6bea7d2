package com.example.ordershop;

import com.jayway.jsonpath.JsonPath;
import java.io.UnsupportedEncodingException;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** Somebody who orders over HTTP. */
public final class Customer {

    private final MockMvcTester http;

    /** A customer of this shop. */
    public Customer(MockMvcTester http) {
        this.http = http;
    }

    /** The answer to the order of this text. */
    public MvcTestResult order(String json) {
        return post("/orders", json);
    }

    /** The number of a new order of two teas. */
    public long orderedTea(String day) {
        MvcTestResult placed = order(
                "{'day':'%s', 'product':'tea', 'quantity':2}".formatted(day).replace('\'', '"'));
        return ((Number) JsonPath.read(bodyOf(placed), "$.id")).longValue();
    }

    /** The answer to the request to complete the order. */
    public MvcTestResult complete(long order) {
        return http.post().uri("/orders/{order}/complete", order).exchange();
    }

    /** The answer to a request with a text in JSON. */
    public MvcTestResult post(String uri, String json) {
        return http.post()
                .uri(uri)
                .contentType(MediaType.APPLICATION_JSON)
                .content(json)
                .exchange();
    }

    /** The answer to a question. */
    public MvcTestResult get(String uri) {
        return http.get().uri(uri).exchange();
    }

    private static String bodyOf(MvcTestResult answer) {
        try {
            return answer.getResponse().getContentAsString();
        } catch (UnsupportedEncodingException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
