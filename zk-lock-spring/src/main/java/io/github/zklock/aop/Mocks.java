package io.github.zklock.aop;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Tells the stand-ins of tests, which have nothing that could run without a lock. */
final class Mocks {

    private static final @Nullable Method DETAILS = find("org.mockito.Mockito", "mockingDetails", Object.class);
    private static final @Nullable Method IS_MOCK = find("org.mockito.MockingDetails", "isMock");

    private Mocks() {}

    static boolean isMock(Object bean) {
        if (DETAILS == null || IS_MOCK == null) {
            return false;
        }
        Object details = ReflectionUtils.invokeMethod(DETAILS, null, bean);
        return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(IS_MOCK, details));
    }

    private static @Nullable Method find(String type, String method, Class<?>... parameters) {
        ClassLoader loader = Mocks.class.getClassLoader();
        return ClassUtils.isPresent(type, loader)
                ? ClassUtils.getMethodIfAvailable(ClassUtils.resolveClassName(type, loader), method, parameters)
                : null;
    }
}
