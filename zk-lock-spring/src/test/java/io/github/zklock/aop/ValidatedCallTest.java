package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validator;
import jakarta.validation.executable.ExecutableValidator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

/** Arguments are validated before the name of the lock is evaluated and the lock is awaited. */
class ValidatedCallTest extends AopTest {

    interface Orders {
        List<String> place(@Nullable String id);
    }

    @Validated
    static class ValidatedOrders implements Orders {
        @Override
        @DistributedLock("/validated/#{#id}")
        public List<String> place(@Nullable String id) {
            return heldNow();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Validation {
        @Bean
        static MethodValidationPostProcessor validation() {
            MethodValidationPostProcessor validation = new MethodValidationPostProcessor();
            validation.setValidator(rejectingNull());
            return validation;
        }
    }

    private static Validator rejectingNull() {
        ExecutableValidator methods = mock(ExecutableValidator.class, call -> {
            if (call.getMethod().getName().equals("validateParameters")
                    && ((Object[]) call.getRawArguments()[2])[0] == null) {
                throw new ConstraintViolationException("id is null", Set.of());
            }
            return Set.of();
        });
        Validator validator = mock(Validator.class);
        when(validator.forExecutables()).thenReturn(methods);
        return validator;
    }

    @ParameterizedTest
    @ValueSource(classes = {TestApplication.ClassProxies.class, TestApplication.InterfaceProxies.class})
    void argumentsAreValidatedBeforeTheLockIsRequested(Class<?> proxies) {
        TestApplication.of(ValidatedOrders.class, Validation.class)
                .enabledBy(proxies)
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);

                    assertThatThrownBy(() -> orders.place(null)).isInstanceOf(ConstraintViolationException.class);
                    assertThat(orders.place("1")).containsExactly("/validated/1");
                });
    }
}
