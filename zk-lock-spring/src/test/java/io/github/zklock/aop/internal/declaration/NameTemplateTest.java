package io.github.zklock.aop.internal.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Calendar;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.expression.spel.support.StandardEvaluationContext;

class NameTemplateTest {

    private static String name(String template, Object value) {
        StandardEvaluationContext call = new StandardEvaluationContext();
        call.setVariable("v", value);
        return NameTemplate.parse(template).evaluate(call).value();
    }

    @Test
    void aLiteralIsUnchanged() {
        assertThat(name("/c#sharp/100%/a b", 1)).isEqualTo("/c#sharp/100%/a b");
        assertThat(NameTemplate.parse("/c#sharp").isLiteral()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ORD-0000000042", "a b", "Größe", "x:y", "#{#w}", "${user.home}", "2026-11-01T00:00:00Z"})
    void ordinaryValuesStandAsTheyAre(String value) {
        assertThat(name("/orders/#{#v}", value)).isEqualTo("/orders/" + value);
    }

    @Test
    void aValueIsOneSegment() {
        assertThat(name("/orders/#{#v}", "7/../8")).isEqualTo("/orders/7%2F..%2F8");
        assertThat(name("/orders/#{#v}", "..")).isEqualTo("/orders/%2E%2E");
        assertThat(name("/orders/#{#v}/x", "a\nb")).isEqualTo("/orders/a%0Ab/x");
    }

    @Test
    void differentValuesNeverShareALock() {
        List<String> close =
                List.of("a/b", "a%2Fb", "a%252Fb", "a%b", "%", "%25", "/", "//", ".", "%2E", "..", "a b", "A b");

        assertThat(close.stream().map(value -> name("/orders/#{#v}", value))).doesNotHaveDuplicates();
    }

    @Test
    void aSingleExpressionMayBeAPath() {
        assertThat(name("#{'/a/' + #v}", "b/c")).isEqualTo("/a/b/c");
    }

    @Test
    void severalPartsAreEachEncoded() {
        assertThat(name("/a/#{#v}/#{#v.length()}", "x/y")).isEqualTo("/a/x%2Fy/3");
    }

    @Test
    void aValueThatIsTooLongKeepsALockOfItsOwn() {
        String one = name("/orders/#{#v}", "x".repeat(5_000) + "1");
        String other = name("/orders/#{#v}", "x".repeat(5_000) + "2");

        assertThat(one).isNotEqualTo(other).hasSizeLessThan(512);
    }

    static List<Object> valuesWithoutText() {
        return List.of(
                new Object(),
                new int[] {1},
                List.of("a", new Object()),
                Optional.of(new Object()),
                (Runnable) () -> {},
                proxyOf(new Plain(), true),
                proxyOf(new Plain(), false));
    }

    static class Plain implements Comparable<Plain> {
        @Override
        public int compareTo(Plain other) {
            return 0;
        }
    }

    private static Object proxyOf(Object target, boolean classes) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(classes);
        return factory.getProxy();
    }

    @ParameterizedTest
    @MethodSource("valuesWithoutText")
    void anObjectWithoutTextOfItsOwnIsRefused(Object value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("/orders/#{#v}", value))
                .withMessageContaining("#{#v}")
                .withMessageContaining("no toString() of its own");
    }

    @SuppressWarnings("JavaUtilDate") // to see it refused
    static List<Object> valuesWhoseTextDependsOnTheProcess() {
        return List.of(
                Set.of(1L, 2L),
                new HashSet<>(List.of("a")),
                Map.of("a", 1),
                List.of(Set.of(1)),
                Optional.of(new Date(0)),
                Calendar.getInstance());
    }

    @ParameterizedTest
    @MethodSource("valuesWhoseTextDependsOnTheProcess")
    void aValueWhoseTextDependsOnTheProcessIsRefused(Object value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("/orders/#{#v}", value))
                .withMessageContaining("#{#v}")
                .withMessageContaining("depends on the process");
    }

    @Test
    void sortedValuesNameOneLock() {
        assertThat(name("/orders/#{#v}", new TreeSet<>(Set.of(2, 1)))).isEqualTo("/orders/[1, 2]");
        assertThat(name("/orders/#{#v}", new TreeMap<>(Map.of("b", 2, "a", 1)))).isEqualTo("/orders/{a=1, b=2}");
        assertThat(name("/orders/#{#v}", EnumSet.of(TimeUnit.DAYS, TimeUnit.SECONDS)))
                .isEqualTo("/orders/[SECONDS, DAYS]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void emptyTextIsRefused(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("/orders/#{#v}", value))
                .withMessage("#{#v} is empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("#{#v}", value))
                .withMessage("#{#v} is empty");
    }

    @Test
    void nullAndEmptyValuesAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("/orders/#{#v}", null))
                .withMessage("#{#v} is null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("/orders/#{#v}", Optional.empty()))
                .withMessage("#{#v} is null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("/orders/#{#v['b']}", Map.of("a", 1)))
                .withMessage("#{#v['b']} is null");
    }

    @Test
    void theMessageNamesAnExpressionThatFails() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("/orders/#{#v.nothing}", "x"))
                .withMessageContaining("#{#v.nothing} fails: ")
                .withMessageContaining("nothing");
    }

    @Test
    void aMalformedExpressionIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameTemplate.parse("/orders/#{#v"))
                .withMessageContaining("'/orders/#{#v' cannot be read");
    }
}
