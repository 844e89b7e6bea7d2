package io.github.zklock.aop.internal.advice;

import io.github.zklock.aop.internal.call.CallServices;
import io.github.zklock.aop.internal.call.LockedMethod;
import io.github.zklock.aop.internal.call.LockedMethods;
import io.github.zklock.aop.internal.declaration.DeclarationReader;
import io.github.zklock.aop.method.MethodAdvice;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;

/** Intercepts the calls of annotated methods. It reads and validates the annotations of each method once. */
final class DistributedLockInterceptor implements MethodAdvice {

    private final DeclarationReader reader;
    private final CallServices services;
    private final Map<MethodClassKey, Optional<LockedMethod>> known = new ConcurrentHashMap<>();

    DistributedLockInterceptor(DeclarationReader reader, CallServices services) {
        this.reader = reader;
        this.services = services;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        if (target == null) {
            throw new IllegalStateException(invocation.getMethod()
                    + " has no target object; its lock cannot be acquired, and the method was not invoked");
        }
        LockedMethod method = method(invocation.getMethod(), AopUtils.getTargetClass(target));
        if (method == null) {
            throw new IllegalStateException(
                    invocation.getMethod() + " is annotated on the class of its proxy, but not on "
                            + AopUtils.getTargetClass(target) + " of its target; the method was not invoked");
        }
        return method.invoke(invocation);
    }

    @Override
    public void validate(Method method, Class<?> targetClass) {
        method(method, targetClass);
    }

    /** Returns the method as it is called on an object of this class; null if no annotation applies to it. */
    private @Nullable LockedMethod method(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<LockedMethod> locked = known.get(key);
        if (locked == null) {
            locked = Optional.ofNullable(reader.of(method, targetClass))
                    .map(declaration -> LockedMethods.of(declaration, targetClass, services));
            known.put(key, locked);
        }
        return locked.orElse(null);
    }
}
