package io.github.zklock.aop.internal.call;

import io.github.zklock.annotation.OnBusy;
import io.github.zklock.aop.internal.declaration.Declaration;
import io.github.zklock.aop.method.InvalidAnnotationException;
import io.github.zklock.aop.method.Place;
import io.github.zklock.support.SkippedCall;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/**
 * Prepares the calls of annotated methods by their return types. Rejects return types whose work continues after the
 * method has returned and whose end cannot be observed.
 */
public final class LockedMethods {

    private static final boolean REACTOR = isPresent("reactor.core.publisher.Mono");
    private static final boolean COROUTINES = REACTOR && isPresent("kotlinx.coroutines.reactor.MonoKt");

    /** By name, because each class may be missing. */
    private static final List<String> WORK_OF_THE_SERVER = List.of(
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final String RESPONSE = "org.springframework.http.HttpEntity";

    private enum Kind {
        VALUE,
        WORK,
        RESPONSE
    }

    /** The kinds of the classes of results, because each call asks for the kind of its result. */
    private static final ClassValue<Kind> KINDS = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            if (isNamed(type, RESPONSE)) {
                return Kind.RESPONSE;
            }
            return worksWhenRead(type) || worksWhenCalled(type) || isNamed(type, "kotlinx.coroutines.Job")
                    ? Kind.WORK
                    : Kind.VALUE;
        }
    };

    private LockedMethods() {}

    /**
     * Prepares the calls of an annotated method.
     *
     * @throws InvalidAnnotationException if the result of the method does not fit the declaration
     */
    public static LockedMethod of(Declaration declaration, Class<?> targetClass, CallServices services) {
        LockedMethod method = byResult(declaration, targetClass, services);
        if (declaration.onBusy() == OnBusy.SKIP && method.skipped.isEmpty()) {
            throw declaration
                    .place()
                    .invalid(
                            "uses onBusy = SKIP, but its return type has no value that means 'skipped'",
                            "return nothing, boolean, Optional, a @Nullable object, a CompletionStage or a reactive type,"
                                    + " or use onBusy = THROW");
        }
        return method;
    }

    private static LockedMethod byResult(Declaration declaration, Class<?> targetClass, CallServices services) {
        Method method = declaration.method();
        Place place = declaration.place();
        if (KotlinDetector.isSuspendingFunction(method)) {
            return suspending(declaration, targetClass, services);
        }
        Class<?> returnType = SkippedCall.resultOf(method, targetClass);
        if (Future.class.isAssignableFrom(returnType) && isAsync(method, targetClass)) {
            return new SynchronousMethod(declaration, services, returnType);
        }
        if (CompletionStage.class.isAssignableFrom(returnType)) {
            if (!FutureMethod.fits(returnType)) {
                throw place.invalid(
                        "returns a " + returnType.getSimpleName() + ", which only the method itself can create",
                        "return a CompletableFuture or a CompletionStage");
            }
            return new FutureMethod(declaration, services, returnType);
        }
        if (REACTOR) {
            LockedMethod reactive = ReactiveMethod.of(declaration, services, returnType);
            if (reactive != null) {
                return reactive;
            }
        } else if (isAsynchronous(returnType)) {
            throw place.invalid(
                    "returns a " + returnType.getSimpleName() + ", whose completion cannot be observed without Reactor",
                    "add reactor-core to the class path");
        }
        checkEndsOnReturn(returnType, place);
        checkBody(ResolvableType.forMethodReturnType(method, targetClass), place);
        return new SynchronousMethod(declaration, services, returnType);
    }

    private static LockedMethod suspending(Declaration declaration, Class<?> targetClass, CallServices services) {
        Place place = declaration.place();
        if (!COROUTINES) {
            throw place.invalid(
                    "is a suspending function, and no library on the class path can await its completion",
                    "add kotlinx-coroutines-reactor and reactor-core to the class path");
        }
        Class<?> returnType = SkippedCall.resultOf(declaration.method(), targetClass);
        boolean flow = returnType.getName().equals("kotlinx.coroutines.flow.Flow");
        if (!flow && (isAsynchronous(returnType) || Future.class.isAssignableFrom(returnType))) {
            throw place.invalid(
                    "suspends, and returns a " + returnType.getSimpleName() + " that continues to work",
                    "either suspend and return the value, or return the " + returnType.getSimpleName()
                            + " from a function that does not suspend");
        }
        checkEndsOnReturn(returnType, place);
        return ReactiveMethod.ofSuspending(declaration, services, returnType);
    }

    private static void checkEndsOnReturn(Class<?> returnType, Place place) {
        if (Future.class.isAssignableFrom(returnType)) {
            throw place.invalid(
                    "returns a " + returnType.getSimpleName() + ", which does not report its completion",
                    "return a CompletableFuture, or make it @Async");
        }
        if (isNamed(returnType, "kotlinx.coroutines.Job")) {
            throw place.invalid(
                    "returns a " + returnType.getSimpleName() + ", which continues to work after the lock is released",
                    "make it a suspending function");
        }
        if (worksWhenRead(returnType)) {
            throw place.invalid(
                    "returns a " + returnType.getSimpleName() + ", which works when it is read, after the lock is"
                            + " released",
                    "collect it to a List within the method");
        }
        if (worksWhenCalled(returnType)) {
            throw place.invalid(
                    "returns a " + returnType.getSimpleName() + ", whose work is done after the lock is released",
                    "put the annotation on the method that does the work, or return a CompletableFuture or a Mono");
        }
    }

    /** Checks the body of a web response, whose work may continue after the method has returned. */
    private static void checkBody(ResolvableType returned, Place place) {
        Class<?> body = returned.getGeneric().resolve();
        if (body == null || !isNamed(returned.toClass(), RESPONSE)) {
            return;
        }
        if (isAsynchronous(body) || Future.class.isAssignableFrom(body)) {
            throw place.invalid(
                    "returns a " + returned.toClass().getSimpleName() + " whose " + body.getSimpleName()
                            + " works after the lock is released",
                    "return a " + (REACTOR ? "Mono" : "CompletableFuture") + " of the whole response");
        }
        checkEndsOnReturn(body, place);
    }

    /** Returns whether a result of this declared type can be work that the type does not show. */
    static boolean mayHideWork(Class<?> returnType) {
        return returnType == Object.class || isNamed(returnType, RESPONSE);
    }

    /** Returns whether this result, or the body of this web response, works after its method has returned. */
    static boolean worksLater(Object result) {
        if (result instanceof Future<?> work) {
            return !work.isDone();
        }
        Kind kind = KINDS.get(result.getClass());
        if (kind == Kind.RESPONSE) {
            Object body = Response.bodyOf(result);
            return body != null && worksLater(body);
        }
        return kind == Kind.WORK
                || result instanceof CompletionStage
                || result instanceof Flow.Publisher
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result) != null;
    }

    private static boolean isAsynchronous(Class<?> type) {
        return CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || isNamed(type, "org.reactivestreams.Publisher")
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    /**
     * Returns whether the method is {@code @Async}. Its caller has another future, and the asynchronous thread waits
     * for the future of the method.
     */
    private static boolean isAsync(Method method, Class<?> targetClass) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(targetClass, Async.class);
    }

    private static boolean isNamed(Class<?> type, String name) {
        if (type.getName().equals(name)) {
            return true;
        }
        Class<?> above = type.getSuperclass();
        return (above != null && isNamed(above, name))
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .anyMatch(implemented -> implemented.getName().equals(name));
    }

    private static boolean worksWhenRead(Class<?> type) {
        return BaseStream.class.isAssignableFrom(type) || isNamed(type, "kotlin.sequences.Sequence");
    }

    private static boolean worksWhenCalled(Class<?> type) {
        return Callable.class.isAssignableFrom(type)
                || WORK_OF_THE_SERVER.stream().anyMatch(name -> isNamed(type, name));
    }

    /** Loaded only in a web application. */
    private static final class Response {

        static @Nullable Object bodyOf(Object response) {
            return ((HttpEntity<?>) response).getBody();
        }
    }

    private static boolean isPresent(String className) {
        return ClassUtils.isPresent(className, LockedMethods.class.getClassLoader());
    }
}
