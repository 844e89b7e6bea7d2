package io.github.zklock.aop.internal.call;

import io.github.zklock.annotation.OnBusy;
import io.github.zklock.aop.InvalidDistributedLockException;
import io.github.zklock.aop.internal.declaration.Declaration;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** An annotated method of a class, with the shape of its calls. */
public final class LockedMethod {

    private final Declaration declaration;
    private final CallShape shape;
    private final CallServices services;

    private LockedMethod(Declaration declaration, CallShape shape, CallServices services) {
        this.declaration = declaration;
        this.shape = shape;
        this.services = services;
    }

    /**
     * Creates a method and chooses the shape of its calls.
     *
     * @throws InvalidDistributedLockException if the return type of the method contradicts the declaration
     */
    public static LockedMethod of(Declaration declaration, Class<?> targetClass, CallServices services) {
        CallShape shape = CallShapes.of(declaration.method(), targetClass, declaration.place());
        if (declaration.onBusy() == OnBusy.SKIP && shape.skipped().isEmpty()) {
            throw declaration
                    .place()
                    .invalid(
                            "uses onBusy = SKIP, but its return type has no value that means 'skipped'",
                            "return nothing, boolean, Optional, a @Nullable object, a CompletionStage or a reactive type,"
                                    + " or use onBusy = THROW");
        }
        return new LockedMethod(declaration, shape, services);
    }

    /** Makes a call under its locks. If a lock is not acquired, the method does not run. */
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        return shape.invoke(new LockedCall(this, invocation));
    }

    Declaration declaration() {
        return declaration;
    }

    CallShape shape() {
        return shape;
    }

    CallServices services() {
        return services;
    }
}
