package io.github.zklock.support;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.Nullness;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * The result of a call that was skipped.
 *
 * @param value what the caller receives
 */
public record SkippedCall(@Nullable Object value) {

    /**
     * Returns the type that a method returns to its caller. The source of a suspending function declares another type
     * than its byte code.
     */
    public static Class<?> resultOf(Method method, Class<?> targetClass) {
        return KotlinDetector.isSuspendingFunction(method)
                ? new MethodParameter(method, -1)
                        .withContainingClass(targetClass)
                        .getParameterType()
                : GenericTypeResolver.resolveReturnType(method, targetClass);
    }

    /**
     * Returns the result for a method; empty if its type has no value that means "skipped".
     *
     * @param type the return type of the method
     */
    public static Optional<SkippedCall> of(Method method, Class<?> type) {
        if (type == boolean.class || type == Boolean.class) {
            return Optional.of(new SkippedCall(false));
        }
        if (type == Optional.class) {
            return Optional.of(new SkippedCall(Optional.empty()));
        }
        if (type == Future.class
                || (CompletionStage.class.isAssignableFrom(type) && type.isAssignableFrom(CompletableFuture.class))) {
            return Optional.of(new SkippedCall(CompletableFuture.completedFuture(null)));
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        if (adapter != null) {
            return adapter.supportsEmpty() ? Optional.of(new SkippedCall(empty(method, adapter))) : Optional.empty();
        }
        if (type == void.class
                || type == Void.class
                || (!type.isPrimitive() && Nullness.forMethodReturnType(method) == Nullness.NULLABLE)) {
            return Optional.of(new SkippedCall(null));
        }
        return Optional.empty();
    }

    private static Object empty(Method method, ReactiveAdapter adapter) {
        Object empty = adapter.getDescriptor().getEmptyValue();
        // Spring makes the flow of a suspending function from a publisher
        return KotlinDetector.isSuspendingFunction(method) ? adapter.toPublisher(empty) : empty;
    }
}
