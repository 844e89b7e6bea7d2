package io.github.zklock.zookeeper.internal.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.zklock.LockName;
import io.github.zklock.LockOrderException;
import io.github.zklock.zookeeper.internal.runtime.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NestedOrderTest {

    private final NestedOrder order = new NestedOrder(true);

    @Test
    void sameOrderIsNoContradiction() {
        for (int time = 0; time < 3; time++) {
            assertThatNoException().isThrownBy(() -> nested("/a", "/b"));
            assertThatNoException().isThrownBy(() -> nested("/b", "/c"));
            assertThatNoException().isThrownBy(() -> nested("/a", "/c"));
            assertThatNoException().isThrownBy(() -> nested("/a", "/a"));
        }
    }

    @Test
    void oppositeOrderIsAContradictionEachTime() {
        nested("/a", "/b");

        for (int time = 0; time < 2; time++) {
            String thread = Thread.currentThread().getName();
            assertThatExceptionOfType(LockOrderException.class)
                    .isThrownBy(() -> nested("/b", "/a"))
                    .withMessage(
                            "Lock '/a' is requested by thread '" + thread + "' while it holds '/b', against the order"
                                    + " before: thread '" + thread
                                    + "' held '/a' and requested '/b'. Such threads can wait for"
                                    + " each other forever. Acquire the locks in the same order everywhere, or together by allOf")
                    .satisfies(contradiction -> assertThat(contradiction.name()).isEqualTo(LockName.of("/a")))
                    .havingCause()
                    .satisfies(earlier -> assertThat(earlier.getStackTrace())
                            .anyMatch(frame -> frame.getMethodName().equals("oppositeOrderIsAContradictionEachTime")));
        }
        assertThatNoException().isThrownBy(() -> nested("/a", "/b"));
    }

    @Test
    void longCycleIsAContradiction() {
        for (char other = 'f'; other < 'z'; other++) {
            nested("/before", "/" + other);
        }
        nested("/a", "/b");
        nested("/b", "/c");
        nested("/b", "/d");
        nested("/c", "/e");

        assertThatExceptionOfType(LockOrderException.class)
                .isThrownBy(() -> nested("/e", "/a"))
                .withMessageContaining("held '/a' and requested '/b', ")
                .withMessageContaining("held '/b' and requested '/c', ")
                .withMessageContaining("held '/c' and requested '/e'.")
                .satisfies(
                        contradiction -> assertThat(contradiction.getMessage()).doesNotContain("'/d'"));
    }

    @Test
    void namesOfAPatternAreOneLockBesideOthers() {
        nested("/orders/17", "/stock");

        assertThatExceptionOfType(LockOrderException.class).isThrownBy(() -> nested("/stock", "/orders/42"));
    }

    @Test
    void namesOfAPatternHaveAnOrderAmongThemselves() {
        nested("/accounts/1", "/accounts/2");
        nested("/accounts/3", "/accounts/2");

        assertThatExceptionOfType(LockOrderException.class).isThrownBy(() -> nested("/accounts/2", "/accounts/1"));
    }

    @Test
    void warningIsNoException() {
        NestedOrder warning = new NestedOrder(false);
        warning.check(LockName.of("/a"), LockName.of("/b"));

        assertThatNoException().isThrownBy(() -> warning.check(LockName.of("/b"), LockName.of("/a")));
        assertThatNoException().isThrownBy(() -> warning.check(LockName.of("/b"), LockName.of("/a")));
        assertThatNoException().isThrownBy(() -> warning.check(LockName.of("/a"), LockName.of("/b")));
    }

    @Test
    void contradictionIsLoggedOnce() {
        try (CapturedLog log = new CapturedLog(NestedOrder.class)) {
            NestedOrder warning = new NestedOrder(false);
            warning.check(LockName.of("/a"), LockName.of("/b"));
            warning.check(LockName.of("/b"), LockName.of("/a"));
            warning.check(LockName.of("/b"), LockName.of("/a"));

            CapturedLog.awaitAll();
            assertThat(log.lines()).hasSize(1);
        }
    }

    @Test
    void memoryIsBounded() {
        for (int number = 0; number < 20_000; number++) {
            nested("/outer", "/inner/" + letters(number));
        }

        assertThatNoException().isThrownBy(() -> nested("/late", "/later"));
        assertThatNoException().as("this order was not observed any more").isThrownBy(() -> nested("/later", "/late"));
        assertThatExceptionOfType(LockOrderException.class).isThrownBy(() -> nested("/inner/" + letters(0), "/outer"));
    }

    @Test
    void manyNamesOfAPatternDoNotEndTheObservationOfOthers() {
        for (int first = 0; first < 150; first++) {
            for (int second = first + 1; second < 150; second++) {
                nested("/accounts/" + first, "/accounts/" + second);
            }
        }
        nested("/a", "/b");

        assertThatExceptionOfType(LockOrderException.class).isThrownBy(() -> nested("/b", "/a"));
    }

    @ParameterizedTest
    @CsvSource({
        "/orders, /orders",
        "/orders/17, /orders/*",
        "/orders/17/items, /orders/*/items",
        "/shop-1/orders/17, /*/orders/*",
        "/17, /*",
        "/a/b/c, /a/b/c"
    })
    void segmentsWithADigitAreReplaced(String name, String group) {
        assertThat(NestedOrder.groupOf(name)).isEqualTo(group);
    }

    private static String letters(int number) {
        StringBuilder letters = new StringBuilder();
        for (int rest = number + 26; rest > 0; rest /= 26) {
            letters.append((char) ('a' + rest % 26));
        }
        return letters.toString();
    }

    private void nested(String held, String wanted) {
        order.check(LockName.of(held), LockName.of(wanted));
    }
}
