package io.github.zklock.aop.internal.declaration;

import io.github.zklock.JobNotDueException;
import io.github.zklock.LockException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.aop.method.Place;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/** The method that runs, without the lock, if the lock is busy. */
public final class Fallback {

    private final Method method;
    private final boolean takesException;
    private final boolean suspends;
    private final int ownParameters;

    private Fallback(Method method, boolean takesException, int ownParameters) {
        this.method = method;
        this.takesException = takesException;
        this.suspends = KotlinDetector.isSuspendingFunction(method);
        this.ownParameters = ownParameters;
    }

    /**
     * Finds the fallback of a method in its class or a superclass.
     *
     * @param oncePerWindow whether the method runs once per window, so that the reason can be that it is not due
     */
    static Fallback find(String name, boolean oncePerWindow, Method guarded, Class<?> targetClass, Place place) {
        List<Class<? extends LockException>> reasons = oncePerWindow
                ? List.of(LockTimeoutException.class, JobNotDueException.class)
                : List.of(LockTimeoutException.class);
        if (name.isBlank()) {
            throw place.invalid(
                    "uses onBusy = FALLBACK, but names no fallback",
                    "set fallback to the name of a method of the same class");
        }
        List<Method> named = Stream.of(ReflectionUtils.getUniqueDeclaredMethods(targetClass))
                .filter(candidate -> candidate.getName().equals(name) && !candidate.isBridge())
                // the guarded method itself would run without its lock
                .filter(candidate ->
                        !AopUtils.getMostSpecificMethod(candidate, targetClass).equals(guarded))
                .sorted(Comparator.comparing(Method::getParameterCount).reversed())
                .toList();
        for (Method candidate : named) {
            int own = MethodParameters.count(guarded);
            int extra = MethodParameters.count(candidate) - own;
            boolean takesException =
                    extra == 1 && reasons.stream().allMatch(candidate.getParameterTypes()[own]::isAssignableFrom);
            if ((extra == 0 || takesException) && sameParameters(candidate, guarded, targetClass)) {
                checkResult(candidate, guarded, targetClass, place);
                return new Fallback(candidate, takesException, own);
            }
        }
        throw place.invalid(
                named.isEmpty()
                        ? "names the fallback '" + name + "', and " + targetClass.getTypeName()
                                + " has no other method of that name"
                        : "names the fallback '" + name + "', which has other parameters or is the method itself",
                "declare it with the parameters "
                        + Arrays.stream(guarded.getParameterTypes())
                                .limit(MethodParameters.count(guarded))
                                .map(Class::getSimpleName)
                                .toList()
                        + ", optionally with a "
                        + (oncePerWindow ? "LockException" : "LockTimeoutException") + " after them");
    }

    public Method method() {
        return method;
    }

    /** Runs the fallback in place of this call. */
    public @Nullable Object run(MethodInvocation invocation, LockException busy) throws Throwable {
        @Nullable Object[] args = invocation.getArguments();
        List<@Nullable Object> passed = new ArrayList<>(Arrays.asList(args).subList(0, ownParameters));
        if (takesException) {
            passed.add(busy);
        }
        if (suspends) {
            passed.add(args[args.length - 1]);
        }
        return AopUtils.invokeJoinpointUsingReflection(invocation.getThis(), method, passed.toArray());
    }

    private static boolean sameParameters(Method candidate, Method guarded, Class<?> targetClass) {
        for (int i = 0; i < MethodParameters.count(guarded); i++) {
            ResolvableType wanted = ResolvableType.forMethodParameter(guarded, i, targetClass);
            if (!ResolvableType.forMethodParameter(candidate, i, targetClass)
                    .toClass()
                    .equals(wanted.toClass())) {
                return false;
            }
        }
        return true;
    }

    private static void checkResult(Method candidate, Method guarded, Class<?> targetClass, Place place) {
        if (KotlinDetector.isSuspendingFunction(candidate) && !KotlinDetector.isSuspendingFunction(guarded)) {
            throw place.invalid(
                    "names the fallback '" + candidate.getName() + "', which suspends although this method does not",
                    "make both suspend, or neither");
        }
        Class<?> wanted = result(guarded, targetClass);
        Class<?> given = result(candidate, targetClass);
        if (!wanted.isAssignableFrom(given)) {
            throw place.invalid(
                    "names the fallback '" + candidate.getName() + "', which returns " + given.getSimpleName(),
                    "let it return " + wanted.getSimpleName());
        }
    }

    private static Class<?> result(Method method, Class<?> targetClass) {
        return KotlinDetector.isSuspendingFunction(method)
                ? new MethodParameter(method, -1)
                        .withContainingClass(targetClass)
                        .getParameterType()
                : ResolvableType.forMethodReturnType(method, targetClass).toClass();
    }
}
