package io.github.zklock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The open scopes of each thread, for {@link io.github.zklock.LockContext}, which opens and closes them. */
public final class OpenScopes {

    private static final ThreadLocal<@Nullable List<?>> SCOPES = new ThreadLocal<>();

    private OpenScopes() {}

    /** Returns the scopes of the current thread, innermost last; null if none is open. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // one class stores them
    public static <S> @Nullable List<S> ofThread() {
        return (List<S>) SCOPES.get();
    }

    /** Replaces the scopes of the current thread; null if none is open. */
    public static void set(@Nullable List<?> scopes) {
        if (scopes == null) {
            SCOPES.remove();
        } else {
            SCOPES.set(scopes);
        }
    }

    /** Returns a copy of the scopes of the current thread, for {@link #within}. */
    public static List<?> copy() {
        List<?> scopes = SCOPES.get();
        return scopes == null ? List.of() : List.copyOf(scopes);
    }

    /** Runs the supplier as if exactly these scopes were open on the current thread. */
    public static <T> T within(List<?> scopes, Supplier<T> question) {
        List<?> own = SCOPES.get();
        SCOPES.set(new ArrayList<>(scopes));
        try {
            return question.get();
        } finally {
            set(own);
        }
    }
}
