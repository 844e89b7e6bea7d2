package io.github.zklock.aop.internal.call;

import io.github.zklock.aop.TransactionTie;
import io.github.zklock.aop.internal.declaration.Declaration;
import io.github.zklock.aop.internal.declaration.LockRequest;
import org.aopalliance.intercept.MethodInvocation;
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
final class ReactiveMethod extends LockedMethod {

    /** Null for a suspending function, whose publisher Spring creates and awaits. */
    private final @Nullable ReactiveAdapter adapter;

    private final boolean single;

    private ReactiveMethod(
            Declaration declaration,
            CallServices services,
            Class<?> returnType,
            @Nullable ReactiveAdapter adapter,
            boolean single) {
        super(declaration, services, returnType);
        this.adapter = adapter;
        this.single = single;
    }

    /** Returns the method; null if its return type is not reactive. */
    static @Nullable ReactiveMethod of(Declaration declaration, CallServices services, Class<?> returnType) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returnType);
        if (adapter == null) {
            return null;
        }
        if (!returnType.isAssignableFrom(adapter.getReactiveType())) {
            String general = adapter.getReactiveType().getSimpleName();
            throw declaration
                    .place()
                    .invalid(
                            "returns a " + returnType.getSimpleName() + ", which only the method itself can create",
                            "return a " + general);
        }
        return new ReactiveMethod(declaration, services, returnType, adapter, !adapter.isMultiValue());
    }

    /** Returns the method for a suspending function. */
    static ReactiveMethod ofSuspending(Declaration declaration, CallServices services, Class<?> returnType) {
        boolean flow = returnType.getName().equals("kotlinx.coroutines.flow.Flow");
        return new ReactiveMethod(declaration, services, returnType, null, !flow);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) {
        LockedCall call = new LockedCall(this, invocation);
        LockRequest request;
        try {
            request = declaration.request(invocation);
        } catch (IllegalArgumentException unnamed) {
            return result(Mono.error(unnamed));
        }
        return result(subscriber -> subscribe(call, request, Operators.toCoreSubscriber(subscriber)));
    }

    boolean isSingle() {
        return single;
    }

    /** Returns the publisher of the method's own result or of its fallback. */
    Publisher<?> publisher(@Nullable Object returned) {
        if (adapter != null) {
            if (returned == null) {
                throw new IllegalStateException(
                        declaration.place() + " returned null instead of a publisher; its lock is released");
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
        TransactionTie transactions = services.reactiveTransactions.get().of(context);
        HeldSubscription held = new HeldSubscription(this, subscriber, transactions);
        subscriber.onSubscribe(held);
        held.acquire(call, request);
    }
}
