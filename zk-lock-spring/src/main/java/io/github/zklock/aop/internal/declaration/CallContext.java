package io.github.zklock.aop.internal.declaration;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;

/**
 * One call, as its expressions see it: the arguments as variables, read only. What is the same for all calls is that of
 * a context they share. An unknown variable is an error, where Spring's own contexts say null: all callers would share
 * one lock.
 */
final class CallContext implements EvaluationContext {

    private final EvaluationContext shared;
    private final ArgumentNames names;
    private final @Nullable Object[] args;
    private final TypedValue root;

    CallContext(EvaluationContext shared, ArgumentNames names, Object target, Method method, @Nullable Object[] args) {
        this.shared = shared;
        this.names = names;
        this.args = args;
        this.root = new TypedValue(new Root(target, method, args));
    }

    @Override
    public TypedValue getRootObject() {
        return root;
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
    public void setVariable(String name, @Nullable Object value) {
        throw new UnsupportedOperationException("#" + name + " cannot be set: the name of a lock is only read");
    }

    @Override
    public boolean isAssignmentEnabled() {
        return false;
    }

    @Override
    public List<PropertyAccessor> getPropertyAccessors() {
        return shared.getPropertyAccessors();
    }

    @Override
    public List<IndexAccessor> getIndexAccessors() {
        return shared.getIndexAccessors();
    }

    @Override
    public List<ConstructorResolver> getConstructorResolvers() {
        return shared.getConstructorResolvers();
    }

    @Override
    public List<MethodResolver> getMethodResolvers() {
        return shared.getMethodResolvers();
    }

    @Override
    public @Nullable BeanResolver getBeanResolver() {
        return shared.getBeanResolver();
    }

    @Override
    public TypeLocator getTypeLocator() {
        return shared.getTypeLocator();
    }

    @Override
    public TypeConverter getTypeConverter() {
        return shared.getTypeConverter();
    }

    @Override
    public TypeComparator getTypeComparator() {
        return shared.getTypeComparator();
    }

    @Override
    public OperatorOverloader getOperatorOverloader() {
        return shared.getOperatorOverloader();
    }

    /** What an expression without {@code #} speaks of: {@code target}, {@code method}, {@code args}. */
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
