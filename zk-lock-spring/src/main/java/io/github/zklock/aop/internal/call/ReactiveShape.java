package io.github.zklock.aop.internal.call;

import io.github.zklock.aop.TransactionTie;
import io.github.zklock.aop.internal.declaration.LockRequest;
import io.github.zklock.aop.internal.declaration.Place;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.ContextView;

/**
 * Acquires the lock for each subscription without blocking, and holds it until the subscription has completed, failed
 * or been cancelled. Suspending functions are publishers at this point.
 */
final class ReactiveShape implements CallShape {

    /** Null for a suspending function, whose publisher Spring creates and awaits. */
    private final @Nullable ReactiveAdapter adapter;

    private final boolean single;
    private final Optional<Skipped> skipped;

    private ReactiveShape(@Nullable ReactiveAdapter adapter, boolean single, Optional<Skipped> skipped) {
        this.adapter = adapter;
        this.single = single;
        this.skipped = skipped;
    }

    /** Returns the shape of a method with this return type; null if the type is not reactive. */
    static @Nullable ReactiveShape of(Class<?> returnType, Place place) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returnType);
        if (adapter == null) {
            return null;
        }
        if (!returnType.isAssignableFrom(adapter.getReactiveType())) {
            String general = adapter.getReactiveType().getSimpleName();
            throw place.invalid(
                    "returns a " + returnType.getSimpleName() + ", which only the method itself can create",
                    "return a " + general);
        }
        return new ReactiveShape(
                adapter,
                !adapter.isMultiValue(),
                adapter.supportsEmpty()
                        ? Optional.of(new Skipped(
                                adapter.fromPublisher(adapter.isMultiValue() ? Flux.empty() : Mono.empty())))
                        : Optional.empty());
    }

    /** Returns the shape of a suspending function. */
    static ReactiveShape ofSuspending(Method method, Class<?> returnType) {
        boolean flow = returnType.getName().equals("kotlinx.coroutines.flow.Flow");
        return new ReactiveShape(
                null,
                !flow,
                flow ? Optional.of(new Skipped(Flux.empty())) : SynchronousShape.skipped(method, returnType));
    }

    @Override
    public Optional<Skipped> skipped() {
        return skipped;
    }

    @Override
    public @Nullable Object invoke(LockedCall call) throws Throwable {
        LockRequest request;
        try {
            request = call.request();
        } catch (IllegalArgumentException unnamed) {
            return result(Mono.error(unnamed));
        }
        if (request == null) {
            return call.proceed();
        }
        return result(subscriber -> subscribe(call, request, Operators.toCoreSubscriber(subscriber)));
    }

    boolean isSingle() {
        return single;
    }

    /** Returns the publisher of the method's own result or of its fallback. */
    Publisher<?> publisher(@Nullable Object returned, LockedCall call) {
        if (adapter != null) {
            if (returned == null) {
                throw new IllegalStateException(
                        call.declaration().place() + " returned null instead of a publisher; its lock is released");
            }
            return adapter.toPublisher(returned);
        }
        return returned instanceof Publisher<?> publisher ? publisher : Mono.justOrEmpty(returned);
    }

    private Object result(Publisher<Object> locked) {
        Publisher<Object> result = single ? Mono.fromDirect(locked) : Flux.from(locked);
        return adapter == null ? result : adapter.fromPublisher(result);
    }

    private void subscribe(LockedCall call, LockRequest request, CoreSubscriber<? super Object> subscriber) {
        ContextView context = subscriber.currentContext();
        TransactionTie transactions = call.services().reactiveTransactions().of(context);
        HeldSubscription held = new HeldSubscription(this, subscriber, transactions);
        subscriber.onSubscribe(held);
        held.acquire(call, request);
    }
}
