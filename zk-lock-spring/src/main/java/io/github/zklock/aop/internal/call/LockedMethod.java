package io.github.zklock.aop.internal.call;

import io.github.zklock.aop.internal.declaration.Declaration;
import io.github.zklock.aop.internal.declaration.MethodParameters;
import io.github.zklock.support.SkippedCall;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** An annotated method of a class. Each kind of return type has a subclass, which makes the calls. */
public abstract class LockedMethod {

    final Declaration declaration;
    final CallServices services;
    /** The result of a call that was skipped; empty if the return type has no value for that. */
    final Optional<SkippedCall> skipped;
    /** The parameters that receive the handle or the token of the lock; null if there are none. */
    final @Nullable MethodParameters filledIn;

    LockedMethod(Declaration declaration, CallServices services, Class<?> returnType) {
        this.declaration = declaration;
        this.services = services;
        this.skipped = SkippedCall.of(declaration.method(), returnType);
        this.filledIn = MethodParameters.of(declaration.method());
    }

    /**
     * Makes a call under its locks. If a lock is not acquired, the method does not run.
     *
     * @return the result of the method, or a value of the same type in its place
     */
    public abstract @Nullable Object invoke(MethodInvocation invocation) throws Throwable;
}
