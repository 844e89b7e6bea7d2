package io.github.zklock.observation;

import io.github.zklock.Handle;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.micrometer.observation.Observation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The context of an observation: the lock of a call, and the outcome of its acquisition or of its hold. */
public final class LockObservationContext extends Observation.Context {

    private final LockObservationDocumentation phase;
    private final LockObservations.Call call;
    private volatile @Nullable Handle handle;
    private volatile @Nullable Throwable refusal;
    private volatile Outcome outcome = Outcome.UNDECIDED;

    LockObservationContext(LockObservationDocumentation phase, LockObservations.Call call) {
        this.phase = phase;
        this.call = call;
    }

    /** Returns which phase is observed: the acquisition or the hold. */
    public LockObservationDocumentation phase() {
        return phase;
    }

    /** Returns the lock name as the annotation declares it, before evaluation. */
    public String template() {
        return call.template();
    }

    /** Returns the lock names after evaluation. */
    public List<LockName> names() {
        return call.names();
    }

    public LockKind kind() {
        return call.kind();
    }

    /** Returns the number of permits of the semaphore; 1 for other kinds of lock. */
    public int permits() {
        return call.permits();
    }

    /** Returns the bean name of the registry. */
    public String registry() {
        return call.registry();
    }

    /** Returns the handle of the lock; null until the lock is acquired. */
    public @Nullable Handle handle() {
        return handle;
    }

    /** Returns why the lock was not acquired; null before that, or if it is acquired. */
    public @Nullable Throwable refusal() {
        return refusal;
    }

    /** Returns the outcome; {@link Outcome#UNDECIDED} until the phase has ended. */
    public Outcome outcome() {
        return outcome;
    }

    void acquired(Handle granted) {
        handle = granted;
    }

    void refused(Throwable reason) {
        refusal = reason;
    }

    void ended(Outcome how) {
        outcome = how;
    }

    /** The outcome of an acquisition or of a hold. */
    public enum Outcome {
        /** The phase has not ended. */
        UNDECIDED,
        /** The lock was acquired. */
        ACQUIRED,
        /** Other holders held the lock until the deadline. */
        TIMEOUT,
        /** ZooKeeper could not be reached in time. */
        UNAVAILABLE,
        /** The waiter was interrupted or cancelled. */
        INTERRUPTED,
        /** The method returned, and the lock was released. */
        RELEASED,
        /** The lock was lost while the method ran. */
        LOST,
        /** The acquisition failed for another reason, or the method threw. */
        ERROR
    }
}
