package io.github.zklock.aop;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Stands before every annotated method: nothing runs past it without its lock. */
final class DistributedLockInterceptor implements MethodInterceptor {

    private final LockedMethods methods;

    DistributedLockInterceptor(LockedMethods methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        if (target == null) {
            throw new IllegalStateException(invocation.getMethod()
                    + " has no target object; its lock cannot be acquired, and the method was not invoked");
        }
        LockedMethod method = methods.of(invocation.getMethod(), AopUtils.getTargetClass(target));
        if (method == null) {
            throw new IllegalStateException(
                    invocation.getMethod() + " is annotated on the class of its proxy, but not on "
                            + AopUtils.getTargetClass(target) + " of its target; the method was not invoked");
        }
        return method.shape().invoke(new LockedCall(method, invocation));
    }
}
