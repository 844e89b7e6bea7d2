package io.github.zklock.observation;

import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.annotation.LockMode;
import io.micrometer.observation.Observation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of a lock while its acquisition, or its hold, is observed. */
public final class LockObservationContext extends Observation.Context {

    private final LockObservationDocumentation phase;
    private final LockObservations.Call call;
    private volatile @Nullable LockHandle handle;
    private volatile Outcome outcome = Outcome.UNDECIDED;

    LockObservationContext(LockObservationDocumentation phase, LockObservations.Call call) {
        this.phase = phase;
        this.call = call;
    }

    /** Which of the two is observed. */
    public LockObservationDocumentation phase() {
        return phase;
    }

    /** The lock as the annotation says it, before evaluation. */
    public String template() {
        return call.template();
    }

    /** The names after evaluation. */
    public List<LockName> names() {
        return call.names();
    }

    public LockMode mode() {
        return call.mode();
    }

    /** How many of a semaphore's permits; 1 for other kinds. */
    public int permits() {
        return call.permits();
    }

    /** The bean name of the registry. */
    public String registry() {
        return call.registry();
    }

    /** The lock's handle; null until it is acquired. */
    public @Nullable LockHandle handle() {
        return handle;
    }

    /** How it ended; {@link Outcome#UNDECIDED} until then. */
    public Outcome outcome() {
        return outcome;
    }

    void acquired(LockHandle granted) {
        handle = granted;
    }

    void ended(Outcome how) {
        outcome = how;
    }

    /** How an acquisition or a hold ended. */
    public enum Outcome {
        /** It has not ended. */
        UNDECIDED,
        /** The lock was acquired. */
        ACQUIRED,
        /** Others held the lock until the deadline. */
        TIMEOUT,
        /** ZooKeeper could not be reached in time. */
        UNAVAILABLE,
        /** Whoever waited gave up: interrupted or cancelled. */
        INTERRUPTED,
        /** The method returned, and its lock was given back. */
        RELEASED,
        /** The lock was lost while the method ran. */
        LOST,
        /** The acquisition was refused, or the method threw. */
        ERROR
    }
}
