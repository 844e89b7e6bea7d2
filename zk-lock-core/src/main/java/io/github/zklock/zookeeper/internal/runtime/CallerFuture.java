package io.github.zklock.zookeeper.internal.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A future for a caller. The thread that completes a {@link CompletableFuture} runs its stages, the latest one first, and
 * a stage of a user may block. Therefore the outcome of this future is decided before any stage runs.
 *
 * <pre>
 * OPEN -&gt; ANSWERED   by the library: {@link #decide} or {@link #decideFailure}. {@link #tell} runs the stages
 * OPEN -&gt; LEFT       by the caller or its timeout: the library leaves first, then the stages run
 * </pre>
 */
public final class CallerFuture<T> extends CompletableFuture<T> {

    private record Answer(@Nullable Object value, @Nullable Throwable failure) {}

    private static final Object LEFT = new Object();

    private final Runnable leave;
    /** Null while open. */
    private final AtomicReference<@Nullable Object> outcome = new AtomicReference<>();

    /** @param leave runs when the caller leaves: other code than the library completes the future */
    public CallerFuture(Runnable leave) {
        this.leave = leave;
    }

    /** Decides that this value is the outcome, without running stages. Returns false if there is another outcome. */
    public boolean decide(T value) {
        Object decided = outcome.get();
        return decided == null
                ? outcome.compareAndSet(null, new Answer(value, null)) || decide(value)
                : decided instanceof Answer answer && answer.value() == value;
    }

    /** Decides that the future fails, without running stages. Returns whether it fails, with this failure or another one. */
    public boolean decideFailure(Throwable failure) {
        return outcome.compareAndSet(null, new Answer(null, failure))
                || (outcome.get() instanceof Answer answer && answer.failure() != null);
    }

    /** Returns whether the library has decided the outcome. */
    public boolean isAnswered() {
        return outcome.get() instanceof Answer;
    }

    public boolean isDecided() {
        return outcome.get() != null;
    }

    /** Completes the future as decided, and runs its stages: code of users. Without effect if it is complete. */
    public void tell() {
        try {
            completeAsDecided();
        } catch (Throwable passing) {
            // the second attempt: nothing else completes the future (L26)
            completeAsDecided();
        }
    }

    @SuppressWarnings("unchecked") // decide() has the type of the value
    private void completeAsDecided() {
        Object decided = outcome.get();
        if (decided instanceof Answer answer) {
            if (answer.failure() == null) {
                super.complete((T) answer.value());
            } else {
                super.completeExceptionally(answer.failure());
            }
        } else if (decided == LEFT) {
            // an Error may have prevented the completion by the caller
            super.cancel(false);
        }
    }

    @Override
    public boolean complete(T value) {
        return completeByCaller(() -> super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return completeByCaller(() -> super.completeExceptionally(failure));
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return completeByCaller(() -> super.cancel(mayInterruptIfRunning));
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        executor.execute(() -> {
            try {
                complete(supplier.get());
            } catch (Throwable failure) {
                completeExceptionally(failure);
            }
        });
        return this;
    }

    @Override
    public void obtrudeValue(T value) {
        leaveIfOpen();
        super.obtrudeValue(value);
    }

    @Override
    public void obtrudeException(Throwable failure) {
        leaveIfOpen();
        super.obtrudeException(failure);
    }

    /** Returns when the future is complete, whether by this call or not. */
    private boolean completeByCaller(BooleanSupplier completion) {
        boolean completed;
        try {
            leaveIfOpen();
        } finally {
            // also after an Error: the caller's stages must learn that it has left
            completed = outcome.get() == LEFT && completion.getAsBoolean();
        }
        if (!completed) {
            tell();
        }
        return completed;
    }

    private void leaveIfOpen() {
        if (outcome.compareAndSet(null, LEFT)) {
            leave.run();
        }
    }
}
