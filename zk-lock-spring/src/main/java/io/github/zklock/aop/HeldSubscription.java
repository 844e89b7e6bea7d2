package io.github.zklock.aop;

import io.github.zklock.LockHandle;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.Registration;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.reactive.ReactiveLockContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
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
 * One subscription to the result of a locked call: waits for its lock, then passes on what the method's own publisher
 * signals. A single value is passed on only after the hold has ended well; several are as they come, and a loss fails
 * them at the end.
 */
final class HeldSubscription extends Operators.DeferredSubscription implements CoreSubscriber<Object> {

    private enum State {
        WAITING,
        STARTING,
        RUNNING,
        DONE
    }

    private final ReactiveShape shape;
    private final CoreSubscriber<? super Object> actual;
    private final TransactionTie transactions;

    /**
     * <pre>
     * WAITING  -&gt; STARTING    answered: the method runs, or what stands for it
     * WAITING  -&gt; DONE        cancelled: the queue is left; or refused
     * STARTING -&gt; RUNNING     the method has returned
     * STARTING -&gt; DONE        it threw
     * RUNNING  -&gt; DONE        its publisher has completed, failed or been cancelled
     * </pre>
     *
     * Who makes it DONE ends the hold, if there is one, and signals the end. A cancellation that finds STARTING leaves
     * its mark in the superclass, at which who makes it RUNNING looks afterwards.
     */
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    /** Written before {@link #state} is looked at; read after that was made DONE. */
    private volatile @Nullable AskedCall asked;

    /** Null while waiting, and for what runs without the lock. Written before RUNNING. */
    private @Nullable AsyncHold hold;

    private Context context;
    private @Nullable Object value;

    HeldSubscription(ReactiveShape shape, CoreSubscriber<? super Object> actual, TransactionTie transactions) {
        this.shape = shape;
        this.actual = actual;
        this.transactions = transactions;
        this.context = actual.currentContext();
    }

    /** Whether anybody still waits for a lock. */
    boolean isWaiting() {
        return state.get() == State.WAITING;
    }

    /** Makes the current thread one that re-enters what is held around the subscription. */
    CarriedScopes openAround() {
        List<LockHandle> around = new ArrayList<>(transactions.held());
        around.addAll(ReactiveLockContext.of(actual.currentContext()));
        return CarriedScopes.open(around);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the answer comes back by the callback
    void await(AskedCall call) {
        asked = call;
        if (state.get() == State.DONE) {
            call.answer().cancel(false);
        }
        boolean reEnters = call.reEnters();
        call.answer().whenComplete((handle, refusal) -> {
            if (reEnters) {
                answered(call, handle, refusal);
            } else {
                answeredLate(call, handle, refusal);
            }
        });
    }

    /** What the registry's thread brings is worked on by one that may block. */
    private void answeredLate(AskedCall call, @Nullable LockHandle handle, @Nullable Throwable refusal) {
        try {
            call.method().surroundings().calls().execute(() -> answered(call, handle, refusal));
        } catch (Throwable noThread) {
            if (handle != null) {
                HeldLock.giveBackUnused(handle);
            }
            answered(call, null, noThread);
        }
    }

    private void answered(AskedCall call, @Nullable LockHandle handle, @Nullable Throwable refusal) {
        if (!state.compareAndSet(State.WAITING, State.STARTING)) {
            if (handle != null) {
                HeldLock.giveBackUnused(handle);
            }
            call.observed().refused(new CancellationException("Cancelled by the subscriber"));
            return;
        }
        try {
            start(handle == null ? instead(call, refusal) : granted(call, handle));
        } catch (Throwable failure) {
            finish(State.STARTING, failure);
        }
    }

    private Publisher<?> granted(AskedCall call, LockHandle handle) throws Throwable {
        AsyncHold begun = AsyncHold.begin(call, handle);
        hold = begun;
        context = ReactiveLockContext.with(context, begun.handle())
                .putAllMap(begun.observed().carried())
                .put(ReactiveTransactions.key(call.method().method()), transactions);
        Publisher<?> own;
        try (CarriedScopes around = openAround()) {
            own = shape.publisher(begun.run(call.call()), call.call());
        }
        return begun.onLost() == OnLost.INTERRUPT
                ? untilLost(own, handle, call.method().surroundings().calls())
                : own;
    }

    private Publisher<?> instead(AskedCall call, @Nullable Throwable refusal) throws Throwable {
        Throwable reason = AsyncHold.causeOf(Objects.requireNonNull(refusal));
        call.observed().refused(reason);
        if (reason instanceof LockTimeoutException busy) {
            return shape.publisher(call.call().busy(busy, call.request()), call.call());
        }
        throw reason;
    }

    /** A loss cancels the method's publisher; how the result ends then is seen when the hold does. */
    private Publisher<?> untilLost(Publisher<?> own, LockHandle handle, Executor calls) {
        Mono<Void> loss = Mono.create(sink -> {
            Registration registration = handle.onLost(() -> calls.execute(sink::success));
            sink.onDispose(registration::close);
        });
        return shape.isSingle()
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
            // Reactor lets Errors of the platform through, a missing class among them
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
        if (shape.isSingle()) {
            value = next;
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
            AskedCall open = asked;
            if (open != null) {
                open.answer().cancel(false);
            }
        } else if (state.compareAndSet(State.RUNNING, State.DONE)) {
            end(new CancellationException("Cancelled by the subscriber"));
        }
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
            return;
        }
        Object last = value;
        if (outcome != null) {
            Operators.onDiscard(last, context);
            actual.onError(outcome);
        } else {
            if (last != null) {
                actual.onNext(last);
            }
            actual.onComplete();
        }
    }

    private @Nullable Throwable end(@Nullable Throwable failure) {
        AsyncHold ended = hold;
        return ended == null ? failure : ended.end(failure, transactions);
    }
}
