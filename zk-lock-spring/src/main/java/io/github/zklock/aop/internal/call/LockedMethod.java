package io.github.zklock.aop.internal.call;

import io.github.zklock.aop.internal.declaration.Declaration;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** An annotated method of a class, and how its calls are made under its locks: a subclass for each kind of result. */
public abstract class LockedMethod {

    final Declaration declaration;
    final CallServices services;
    /** The result of a call that was skipped; empty if the return type has no value for that. */
    final Optional<Skipped> skipped;

    LockedMethod(Declaration declaration, CallServices services, Optional<Skipped> skipped) {
        this.declaration = declaration;
        this.services = services;
        this.skipped = skipped;
    }

    /**
     * Makes a call under its locks, or does not make it.
     *
     * @return the method's result, or one of the same type that stands for it
     */
    public abstract @Nullable Object invoke(MethodInvocation invocation) throws Throwable;

    /** A value that says that the method did not run. */
    record Skipped(@Nullable Object value) {}
}
