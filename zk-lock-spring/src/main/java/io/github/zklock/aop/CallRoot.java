package io.github.zklock.aop;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What an expression without {@code #} speaks of: {@code target}, {@code method}, {@code args}. */
final class CallRoot {

    private final Object target;
    private final Method method;
    private final @Nullable Object[] args;

    CallRoot(Object target, Method method, @Nullable Object[] args) {
        this.target = target;
        this.method = method;
        this.args = args;
    }

    public Object getTarget() {
        return target;
    }

    public Class<?> getTargetClass() {
        return target.getClass();
    }

    public Method getMethod() {
        return method;
    }

    public @Nullable Object[] getArgs() {
        return args;
    }
}
