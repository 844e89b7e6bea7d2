package io.github.zklock.aop.internal.call;

import io.github.zklock.Handle;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.Registration;
import io.github.zklock.aop.ReactiveTransactions;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.aop.internal.declaration.LockRequest;
import io.github.zklock.reactive.ReactiveLockContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One subscription to the result of a locked call. It waits for the lock, and then passes on the signals of the
 * method's own publisher. The value of a single-valued publisher is passed on only after the hold has ended without a
 * loss. Several values are passed on as they arrive, and a loss becomes an error after the last one.
 */
final class HeldSubscription extends Operators.DeferredSubscription implements CoreSubscriber<Object> {

    private enum State {
        WAITING,
        STARTING,
        RUNNING,
        DONE
    }

    private final ReactiveMethod method;
    private final CoreSubscriber<? super Object> actual;
    private final TransactionTie transactions;

    /**
     * <pre>
     * WAITING  -&gt; STARTING    answered: the method runs, or its fallback
     * WAITING  -&gt; DONE        cancelled: the call leaves the queue
     * STARTING -&gt; RUNNING     the method has returned
     * STARTING -&gt; DONE        the method threw, or the lock was not acquired
     * RUNNING  -&gt; DONE        the publisher has completed, failed or been cancelled
     * </pre>
     *
     * <p>The thread that sets DONE ends the hold, if any, and signals the end. A cancellation in STARTING is recorded
     * in the superclass. The thread that sets RUNNING reads that record afterwards.
     */
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    /** Happens-before: written before {@link #state} is read, and read after it is set to DONE. */
    private volatile @Nullable AsyncCall call;

    private Context context;
    /** The value of a single-valued publisher, until it is passed on or discarded. */
    private final AtomicReference<@Nullable Object> value = new AtomicReference<>();

    HeldSubscription(ReactiveMethod method, CoreSubscriber<? super Object> actual, TransactionTie transactions) {
        this.method = method;
        this.actual = actual;
        this.transactions = transactions;
        this.context = actual.currentContext();
    }

    void acquire(LockedCall locked, LockRequest request) {
        if (state.get() != State.WAITING) {
            return;
        }
        Context subscriber = actual.currentContext();
        AsyncCall asked;
        try (CarriedScopes around = openAround()) {
            asked = AsyncCall.ask(locked, request, key -> subscriber.getOrDefault(key, null), transactions);
        }
        call = asked;
        if (state.get() == State.DONE) {
            asked.abandon();
        }
        asked.whenAnswered((handle, refusal) -> answered(asked, handle, refusal));
    }

    private void answered(AsyncCall asked, @Nullable Handle handle, @Nullable Throwable refusal) {
        if (!state.compareAndSet(State.WAITING, State.STARTING)) {
            asked.abandoned(handle, new CancellationException("Cancelled by the subscriber"));
            return;
        }
        try {
            start(
                    handle == null
                            ? method.publisher(asked.refused(AsyncCall.causeOf(Objects.requireNonNull(refusal))))
                            : granted(asked, handle));
        } catch (Throwable failure) {
            finish(State.STARTING, failure);
        }
    }

    private Publisher<?> granted(AsyncCall asked, Handle grant) throws Throwable {
        Handle handle = asked.begin(grant, transactions);
        context = ReactiveLockContext.with(context, handle)
                .putAllMap(asked.observed().carried())
                .put(ReactiveTransactions.key(method.declaration.method()), transactions);
        Publisher<?> own;
        try (CarriedScopes around = openAround()) {
            own = method.publisher(asked.run(handle));
        }
        return asked.isInterruptedByLoss() ? untilLost(own, handle, asked.threads()) : own;
    }

    /** Opens the locks around the subscription as scopes of the current thread, which then re-enters them. */
    private CarriedScopes openAround() {
        List<LockHandle> around = new ArrayList<>(transactions.held());
        around.addAll(ReactiveLockContext.of(actual.currentContext()));
        return CarriedScopes.open(around);
    }

    /** Cancels the method's publisher on a loss. The end of the hold then determines how the result ends. */
    private Publisher<?> untilLost(Publisher<?> own, Handle handle, CallThreads threads) {
        Mono<Void> loss = Mono.create(sink -> {
            Registration registration = handle.onLost(() -> threads.executeAfterLoss(sink::success));
            sink.onDispose(registration::close);
        });
        return method.isSingle()
                ? Mono.from(own).takeUntilOther(loss)
                : Flux.from(own).takeUntilOther(loss);
    }

    private void start(Publisher<?> publisher) {
        state.set(State.RUNNING);
        if (isCancelled()) {
            finish(State.RUNNING, new CancellationException("Cancelled by the subscriber"));
        } else {
            subscribeTo(publisher);
        }
    }

    private void subscribeTo(Publisher<?> publisher) {
        try {
            publisher.subscribe(this);
        } catch (Throwable fatal) {
            // Reactor rethrows fatal Errors, such as one for a missing class
            finish(State.RUNNING, fatal);
        }
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        set(subscription);
    }

    @Override
    public void onNext(Object next) {
        if (method.isSingle()) {
            value.set(next);
            if (isCancelled()) {
                discardValue();
            }
        } else {
            actual.onNext(next);
        }
    }

    @Override
    public void onError(Throwable failure) {
        finish(State.RUNNING, failure);
    }

    @Override
    public void onComplete() {
        finish(State.RUNNING, null);
    }

    @Override
    public void cancel() {
        super.cancel();
        if (state.compareAndSet(State.WAITING, State.DONE)) {
            AsyncCall waiting = call;
            if (waiting != null) {
                waiting.abandon();
            }
        } else if (state.compareAndSet(State.RUNNING, State.DONE)) {
            end(new CancellationException("Cancelled by the subscriber"));
            discardValue();
        }
    }

    private void discardValue() {
        Operators.onDiscard(value.getAndSet(null), context);
    }

    private void finish(State from, @Nullable Throwable failure) {
        if (!state.compareAndSet(from, State.DONE)) {
            if (failure != null && !isCancelled()) {
                Operators.onErrorDropped(failure, context);
            }
            return;
        }
        Throwable outcome = end(failure);
        if (isCancelled()) {
            discardValue();
        } else if (outcome != null) {
            discardValue();
            actual.onError(outcome);
        } else {
            Object last = value.getAndSet(null);
            if (last != null) {
                actual.onNext(last);
            }
            actual.onComplete();
        }
    }

    private @Nullable Throwable end(@Nullable Throwable failure) {
        AsyncCall ended = call;
        return ended == null ? failure : ended.end(failure, transactions);
    }

    /** The scopes of several handles, opened and closed on the current thread. */
    private static final class CarriedScopes implements AutoCloseable {

        private final Deque<LockContext.Scope> scopes = new ArrayDeque<>();

        static CarriedScopes open(List<LockHandle> handles) {
            CarriedScopes opened = new CarriedScopes();
            handles.forEach(handle -> opened.scopes.push(LockContext.open(handle)));
            return opened;
        }

        @Override
        public void close() {
            scopes.forEach(LockContext.Scope::close);
        }
    }
}
