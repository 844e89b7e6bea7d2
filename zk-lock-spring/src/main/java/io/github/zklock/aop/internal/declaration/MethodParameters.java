package io.github.zklock.aop.internal.declaration;

import io.github.zklock.FencingToken;
import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import java.lang.reflect.Method;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

/** The parameters of a method. A parameter for the handle or the token receives it if the caller passes null. */
public final class MethodParameters {

    private final int[] handles;
    private final boolean single;
    private final int[] tokens;

    private MethodParameters(int[] handles, boolean single, int[] tokens) {
        this.handles = handles;
        this.single = single;
        this.tokens = tokens;
    }

    /** Returns the parameters; null if the method has no such parameter. */
    public static @Nullable MethodParameters of(Method method) {
        int[] singles = indexes(method, LockHandle.class);
        int[] handles = IntStream.concat(IntStream.of(singles), IntStream.of(indexes(method, Handle.class)))
                .toArray();
        int[] tokens = indexes(method, FencingToken.class);
        return handles.length + tokens.length == 0
                ? null
                : new MethodParameters(handles, singles.length + tokens.length > 0, tokens);
    }

    /** Returns the number of declared parameters, without the continuation of a suspending function. */
    static int count(Method method) {
        return KotlinDetector.isSuspendingFunction(method)
                ? method.getParameterCount() - 1
                : method.getParameterCount();
    }

    public boolean wantHandle() {
        return handles.length > 0;
    }

    /** Returns whether a parameter can only receive the handle or the token of a single lock. */
    boolean wantSingle() {
        return single;
    }

    /** Returns a copy of the arguments in which null is replaced by the handle or its token. */
    public @Nullable Object[] fill(@Nullable Object[] args, Handle handle) {
        @Nullable Object[] filled = args.clone();
        for (int index : handles) {
            if (filled[index] == null) {
                filled[index] = handle;
            }
        }
        for (int index : tokens) {
            if (filled[index] == null) {
                filled[index] = handle.parts().get(0).fencingToken();
            }
        }
        return filled;
    }

    private static int[] indexes(Method method, Class<?> type) {
        Class<?>[] types = method.getParameterTypes();
        return IntStream.range(0, types.length).filter(i -> types[i] == type).toArray();
    }
}
