package io.github.zklock.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * What an observation of a lock is called and which keys it has. A bean of this type replaces the default for the contexts
 * that it supports; {@link LockObservationContext#phase()} tells acquisitions from holds.
 */
public interface LockObservationConvention extends ObservationConvention<LockObservationContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext;
    }
}
