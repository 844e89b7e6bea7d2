package io.github.zklock.observation;

import io.github.zklock.Handle;
import io.github.zklock.JobNotDueException;
import io.github.zklock.LockInterruptedException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.observation.LockObservationContext.Outcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationView;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The observations of one call: first of its acquisition, then of its hold. */
final class StartedObservation implements CallObservation {

    private final LockObservations observations;
    private final LockObservations.Call call;
    private final @Nullable ObservationView parent;
    private final LockObservationContext acquisition;
    private final Observation acquiring;
    private volatile @Nullable Hold hold;

    private record Hold(LockObservationContext context, Observation observation, Handle handle) {}

    StartedObservation(LockObservations observations, LockObservations.Call call, @Nullable ObservationView parent) {
        this.observations = observations;
        this.call = call;
        this.parent = parent;
        this.acquisition = new LockObservationContext(LockObservationDocumentation.ACQUIRE, call);
        this.acquiring = observations.start(acquisition, parent);
    }

    @Override
    public void refused(Throwable reason) {
        LockObservations.guarded(() -> endAcquisition(reason));
    }

    private void endAcquisition(Throwable reason) {
        Outcome outcome = outcomeOf(reason);
        acquisition.refused(reason);
        acquisition.ended(outcome);
        // a busy lock is a normal outcome: the code that receives the exception decides whether it is an error
        if (outcome != Outcome.TIMEOUT) {
            acquiring.error(reason);
        }
        acquiring.stop();
    }

    @Override
    public void acquired(Handle handle) {
        LockObservations.guarded(() -> startHold(handle));
    }

    private void startHold(Handle handle) {
        acquisition.acquired(handle);
        acquisition.ended(Outcome.ACQUIRED);
        acquiring.stop();
        LockObservationContext context = new LockObservationContext(LockObservationDocumentation.HOLD, call);
        context.acquired(handle);
        hold = new Hold(context, observations.start(context, parent), handle);
    }

    @Override
    public void ended(@Nullable Throwable failure) {
        LockObservations.guarded(() -> endHold(failure));
    }

    private void endHold(@Nullable Throwable failure) {
        Hold ending = hold;
        if (ending == null) {
            return;
        }
        boolean lost = ending.handle().state() == LockState.LOST
                || (failure instanceof LockLostException other && call.names().contains(other.name()));
        ending.context().ended(lost ? Outcome.LOST : failure == null ? Outcome.RELEASED : Outcome.ERROR);
        if (failure != null) {
            ending.observation().error(failure);
        }
        ending.observation().stop();
    }

    @Override
    public Scope open() {
        Hold open = hold;
        if (open == null || open.observation().isNoop()) {
            return () -> {};
        }
        return observations.open(open.observation());
    }

    @Override
    public Map<Object, Object> carried() {
        Hold open = hold;
        return open == null || open.observation().isNoop()
                ? Map.of()
                : Map.of(LockObservations.CONTEXT_KEY, open.observation());
    }

    private static Outcome outcomeOf(Throwable reason) {
        if (reason instanceof LockTimeoutException || reason instanceof JobNotDueException) {
            return Outcome.TIMEOUT;
        }
        if (reason instanceof LockUnavailableException) {
            return Outcome.UNAVAILABLE;
        }
        boolean gaveUp = reason instanceof InterruptedException
                || reason instanceof LockInterruptedException
                || reason instanceof CancellationException;
        return gaveUp ? Outcome.INTERRUPTED : Outcome.ERROR;
    }
}
