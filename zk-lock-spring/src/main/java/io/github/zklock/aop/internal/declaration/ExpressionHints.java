package io.github.zklock.aop.internal.declaration;

import java.util.stream.Stream;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Registers the native-image hints for the members that expressions use.
 *
 * <p>Not guaranteed: hints for an object whose class is not the declared type, except the permitted subclasses of a
 * sealed type.
 */
record ExpressionHints(ReflectionHints hints) implements ExpressionTypes.Members {

    @Override
    public void property(ResolvableType owner, String name) {
        register(owner);
    }

    @Override
    public void method(ResolvableType owner, String name) {
        register(owner);
    }

    @Override
    public void constructor(Class<?> type) {
        hints.registerType(type, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
    }

    private void register(ResolvableType owner) {
        Class<?> type = owner.resolve();
        if (type != null && type != Object.class && !type.isArray()) {
            register(ClassUtils.resolvePrimitiveIfNecessary(type));
        }
    }

    private void register(Class<?> type) {
        hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS, MemberCategory.ACCESS_PUBLIC_FIELDS);
        Class<?>[] permitted = type.getPermittedSubclasses();
        if (permitted != null) {
            Stream.of(permitted).forEach(this::register);
        }
    }
}
