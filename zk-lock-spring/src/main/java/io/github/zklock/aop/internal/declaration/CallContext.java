package io.github.zklock.aop.internal.declaration;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * The evaluation context of one call. The arguments are read-only variables.
 *
 * <p>Spring's {@code MethodBasedEvaluationContext} does not fit. It evaluates an unknown variable to null, so that all
 * callers would share one lock. It also supports the parameter names of one declaration only.
 */
final class CallContext extends StandardEvaluationContext {

    private final ArgumentNames names;
    private final @Nullable Object[] args;

    /** @param shared the resolvers of properties, methods, types and beans, which are the same for all calls */
    CallContext(
            StandardEvaluationContext shared,
            ArgumentNames names,
            Object target,
            Method method,
            @Nullable Object[] args) {
        super(new Root(target, method, args));
        this.names = names;
        this.args = args;
        shared.applyDelegatesTo(this);
    }

    @Override
    public @Nullable Object lookupVariable(String name) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("#" + name + " is not an argument; known are " + names);
        }
        return args[index];
    }

    @Override
    public boolean isAssignmentEnabled() {
        return false;
    }

    /**
     * The root object of expressions, with the properties {@code target}, {@code targetClass}, {@code method} and
     * {@code args}.
     */
    static final class Root {

        private final Object target;
        private final Method method;
        private final @Nullable Object[] args;

        Root(Object target, Method method, @Nullable Object[] args) {
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
}
