package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.util.LinkedMultiValueMap;

class AccessRuleTest {

    private final AccessRule rule = new AccessRule(false, false);

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, localhost:8080",
        "127.0.0.1, LOCALHOST",
        "127.8.9.1, 127.0.0.1:80",
        "::1, [::1]:8080",
        "0:0:0:0:0:0:0:1%0, [::1]",
        "::ffff:127.0.0.1, localhost"
    })
    void answersABrowserAtThisMachine(String remote, String host) {
        assertThat(rule.refusal(request(remote, "Host", host))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, localhost",
        "2001:db8::1, [::1]",
        "::ffff:192.0.2.7, localhost",
        "localhost, localhost",
        "127.0.0.1.example.org, localhost"
    })
    void doesNotAnswerAnotherMachine(String remote, String host) {
        assertThat(rule.refusal(request(remote, "Host", host)).orElse(""))
                .contains("this one comes from another", "zk.lock.console.remote-access=true", "Spring Security");
    }

    @Test
    void doesNotAnswerWhomItCannotPlace() {
        assertThat(rule.refusal(request(null, "Host", "localhost"))).isPresent();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "shop.example.org",
                "localhost.",
                "localhost.example.org",
                "localhost:x",
                "127.0.0.1.example.org",
                "127.0.0.2",
                "[::1].example.org",
                "localhost,evil.example",
                "evil@localhost"
            })
    void doesNotAnswerAnotherName(@Nullable String host) {
        ConsoleRequest request =
                host == null ? request("127.0.0.1", "Accept", "*/*") : request("127.0.0.1", "Host", host);

        assertThat(rule.refusal(request).orElse("")).contains("Host header");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Forwarded", "x-forwarded-for", "X-Forwarded-Proto", "X-FORWARDED-PREFIX", "Via", "X-Real-IP"})
    void doesNotAnswerThroughAProxy(String header) {
        ConsoleRequest request = request("127.0.0.1", "Host", "localhost");
        request.headers().add(header, "127.0.0.1");

        assertThat(rule.refusal(request).orElse("")).contains("through a proxy");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8080, true",
        "http://evil.example, false",
        "http://localhost:3000, false",
        "null, false",
        "'', false"
    })
    void doesNotLetAPageOfAnotherOriginRead(String origin, boolean own) {
        ConsoleRequest request = request("127.0.0.1", "Host", "localhost:8080");
        request.headers().add("Origin", origin);

        assertThat(rule.refusal(request).isEmpty()).isEqualTo(own);
    }

    @Test
    void trustsNoAddressThatWasTakenFromAHeader() {
        AccessRule rewritten = new AccessRule(false, true);

        assertThat(rewritten.refusal(request("127.0.0.1", "Host", "localhost")).orElse(""))
                .contains("server.forward-headers-strategy");
    }

    @Test
    void answersEverybodyWhereItIsToldTo() {
        AccessRule open = new AccessRule(true, true);

        assertThat(open.refusal(request("192.0.2.7", "Host", "shop.example.org")))
                .isEmpty();
    }

    private static ConsoleRequest request(@Nullable String remote, String header, String value) {
        HttpHeaders headers = new HttpHeaders();
        headers.add(header, value);
        return new ConsoleRequest(
                "GET",
                "/",
                new LinkedMultiValueMap<>(),
                headers,
                RemoteAddress.of(remote),
                false,
                null,
                Optional::empty,
                Optional.empty());
    }
}
