package io.github.zklock.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The name and the keys of observations of locks. A bean of this type replaces the default for the contexts that it
 * supports. {@link LockObservationContext#phase()} distinguishes acquisitions from holds.
 */
public interface LockObservationConvention extends ObservationConvention<LockObservationContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext;
    }
}
