package io.github.zklock.aop;

import io.github.zklock.FencingToken;
import io.github.zklock.LockHandle;
import java.lang.reflect.Method;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The parameters of a method that its lock fills in, where the caller passed null. */
final class HandleParameters {

    private final int[] handles;
    private final int[] tokens;

    private HandleParameters(int[] handles, int[] tokens) {
        this.handles = handles;
        this.tokens = tokens;
    }

    static HandleParameters of(Method method) {
        return new HandleParameters(indexes(method, LockHandle.class), indexes(method, FencingToken.class));
    }

    boolean wantHandle() {
        return handles.length > 0;
    }

    boolean wantToken() {
        return tokens.length > 0;
    }

    boolean areNone() {
        return handles.length + tokens.length == 0;
    }

    /** The arguments as the method gets them; those passed in are not changed. */
    @Nullable Object[] fill(@Nullable Object[] args, LockHandle handle) {
        @Nullable Object[] filled = args.clone();
        for (int index : handles) {
            if (filled[index] == null) {
                filled[index] = handle;
            }
        }
        for (int index : tokens) {
            if (filled[index] == null) {
                filled[index] = handle.fencingToken();
            }
        }
        return filled;
    }

    private static int[] indexes(Method method, Class<?> type) {
        Class<?>[] types = method.getParameterTypes();
        return IntStream.range(0, types.length).filter(i -> types[i] == type).toArray();
    }
}
