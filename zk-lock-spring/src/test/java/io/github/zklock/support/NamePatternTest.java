package io.github.zklock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.LockName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamePatternTest {

    @ParameterizedTest
    @CsvSource({
        "/orders/**, /orders, true",
        "/orders/**, /orders/42/items, true",
        "/orders/*, /orders/42, true",
        "/orders/*, /orders/42/items, false",
        "/orders/?, /orders/4, true",
        "/orders/?, /orders/42, false",
        "/**/items, /orders/42/items, true",
        "orders/42/, /orders/42, true",
        "/orders/a b, /orders/a b, true",
        "/orders/*, '/orders/{id}', true"
    })
    void aPatternMatchesCanonicalNames(String pattern, String name, boolean matches) {
        assertThat(new NamePattern(pattern).matches(LockName.of(name))).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orders/{id}", "/orders**", "/orders/**x/y", "//", ""})
    void aPatternThatMeansSomethingElseIsRefused(String pattern) {
        assertThatIllegalArgumentException().isThrownBy(() -> new NamePattern(pattern));
    }

    @Test
    void aNameAfterAPatternThatMatchesItIsUnreachable() {
        NamePattern orders = new NamePattern("/orders/**");

        assertThat(orders.hides(new NamePattern("/orders/42"))).isTrue();
        assertThat(orders.hides(new NamePattern("orders/**"))).isTrue();
        assertThat(orders.hides(new NamePattern("/customers/42"))).isFalse();
        assertThat(orders.hides(new NamePattern("/orders/*"))).isFalse();
    }
}
