package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.LockName;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.stereotype.Component;

/** Arguments from users in lock names. Each must become exactly one segment of the name. */
class HostileArgumentsTest extends SynchronousCallTests {

    private static final String UUID = "5f0c8f3e-27d1-4d3c-9f3b-0d6f2f1c9a11";

    private static final List<String> SENT = List.of(
            "..",
            ".",
            "../",
            "../../zookeeper",
            "a/../b",
            "/",
            "//",
            "a//b",
            "/a",
            "a/",
            "a",
            " a",
            "a ",
            "\u00A0a",
            "%2e%2e%2f",
            "%2E%2E%2F",
            "%",
            "%00",
            "\u0000",
            "a\u0000b",
            "a\nb",
            "a\rb",
            "a\r\nINFO forged",
            "a\u0085b",
            "a\u2028b",
            "a\u2029b",
            "a\u007F",
            "a\u001B[31m",
            "\uD800",
            "\uDC00",
            "%uD800",
            "\uF8FF",
            "\uFFFF",
            "x".repeat(10_000),
            "x".repeat(9_999) + "y",
            "\n".repeat(9_999) + "x",
            "\uD83D\uDE00".repeat(5_000),
            "_c_" + UUID + "-lock-0000000000",
            UUID + "-__READ__0000000001",
            "_c_" + UUID + "-permits-2-of-3-0000000002",
            "permits-2-of-3-",
            "lock-0000000003",
            "locks",
            "leases",
            "#{T(java.lang.System).setProperty('zklock.broken', 'x')}",
            "#{T(java.lang.Runtime).getRuntime()}",
            "T(java.lang.Runtime).getRuntime()",
            "#{#other}",
            "#{@hostileOrders.hashCode()}",
            "${spring.application.name}",
            "${hostile.secret}",
            "#other",
            "' + #other + '",
            "}/#{#other");

    private static final AtomicInteger runs = new AtomicInteger();

    @Component("hostileOrders")
    static class HostileOrders {

        @DistributedLock("/hostile/#{#id}")
        public List<String> of(String id, String other) {
            runs.incrementAndGet();
            return heldNow();
        }

        @DistributedLock("/hostile/${hostile.shop}/#{#id}/items/#{#other}")
        public List<String> within(String id, String other) {
            return heldNow();
        }

        @DistributedLock("#{#path}")
        public List<String> path(String path) {
            runs.incrementAndGet();
            return heldNow();
        }
    }

    @BeforeAll
    static void startApplication() {
        start(Map.of("hostile.shop", "books", "hostile.secret", "s3cret"), HostileOrders.class);
    }

    private final HostileOrders orders = bean(HostileOrders.class);

    @Test
    void eachTextIsOneSegmentOfALockOfItsOwn() {
        Map<String, String> names = new LinkedHashMap<>();
        for (String sent : SENT) {
            List<String> held = orders.of(sent, "s3cret");

            assertThat(held).hasSize(1);
            assertThat(LockName.of(held.get(0)).segments())
                    .hasSize(2)
                    .startsWith("hostile")
                    .doesNotContain("s3cret");
            assertThat(held.get(0)).doesNotContainPattern("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]");
            assertThat(names.put(held.get(0), sent)).as("shares its lock with").isNull();
        }
        assertThat(names.keySet()).noneMatch(name -> name.contains("s3cret"));
        assertThat(System.getProperty("zklock.broken")).isNull();
        assertThat(TestApplication.server().treeBelow("/").stream().filter(path -> !path.startsWith("/locks")))
                .isEmpty();
    }

    @Test
    void literalTextAroundAnArgumentIsUnchanged() {
        for (String sent : SENT) {
            assertThat(LockName.of(orders.within(sent, "1").get(0)).segments())
                    .hasSize(5)
                    .startsWith("hostile", "books")
                    .element(3)
                    .isEqualTo("items");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "a/../b", "/", "a\nb", "a\u2028b", "a\uD800", "a//b", "lock-0000000003"})
    void aTextThatIsAWholePathIsRefusedIfItIsNoName(String sent) {
        int before = runs.get();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.path(sent))
                .withMessageContaining("Lock name '/")
                .withMessageContaining("did not run")
                .satisfies(refusal ->
                        assertThat(refusal.getMessage()).doesNotContainPattern("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]"));
        assertThat(runs).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "\n", "\u2028"})
    void blankTextIsRefused(String sent) {
        int before = runs.get();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.of(sent, "other"))
                .withMessageContaining("#{#id} is empty")
                .withMessageContaining("did not run");
        assertThat(runs).hasValue(before);
    }
}
