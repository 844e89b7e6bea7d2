package io.github.zklock.aop.internal.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ReflectionUtils;

class CallContextTest {

    interface Orders {
        void place(String orderId);
    }

    static class OrderService implements Orders {

        @SuppressWarnings("unused")
        public String tenant = "blue";

        @Override
        public void place(String id) {}
    }

    private final Method method =
            ReflectionUtils.findMethod(OrderService.class, "place", new Class<?>[] {String.class});

    private final CallContext call = new CallContext(
            new StandardEvaluationContext(),
            ArgumentNames.of(method, OrderService.class, null),
            new OrderService(),
            method,
            new Object[] {"42"});

    private @Nullable Object value(String expression) {
        return new SpelExpressionParser().parseRaw(expression).getValue(call);
    }

    @Test
    void anArgumentHasTheNamesOfAllDeclarationsAndItsNumber() {
        assertThat(value("#id + #orderId + #p0 + #a0 + args[0]")).isEqualTo("4242424242");
    }

    @Test
    void theRootObjectDescribesTheCall() {
        assertThat(value("target.tenant + method.name + targetClass.simpleName"))
                .isEqualTo("blueplaceOrderService");
        assertThat(value("#root.target == target")).isEqualTo(true);
        assertThat(value("{1, 2, 3}.?[#this > 1].size()")).isEqualTo(2);
    }

    @Test
    void aVariableThatIsNoArgumentIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameTemplate.parse("/x/#{#typo}").evaluate(call))
                .withMessageContaining("#typo is not an argument");
    }

    @Test
    void anExpressionOnlyReads() {
        assertThat(call.isAssignmentEnabled()).isFalse();
        assertThatThrownBy(() -> value("#id = 'x'")).hasMessageContaining("not assignable");
        assertThatThrownBy(() -> value("target.tenant = 'red'")).hasMessageContaining("not assignable");
    }
}
