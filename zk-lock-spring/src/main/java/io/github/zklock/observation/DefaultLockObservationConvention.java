package io.github.zklock.observation;

import io.github.zklock.Handle;
import io.github.zklock.LockName;
import io.github.zklock.observation.LockObservationDocumentation.HighCardinalityKey;
import io.github.zklock.observation.LockObservationDocumentation.LowCardinalityKey;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The default convention, as {@link LockObservationDocumentation} describes it. To change parts of it, extend this
 * class and declare a bean of it.
 */
public class DefaultLockObservationConvention implements LockObservationConvention {

    private final LockObservationDocumentation phase;

    /** Creates the convention for acquisitions or for holds. */
    public DefaultLockObservationConvention(LockObservationDocumentation phase) {
        this.phase = phase;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext lock && lock.phase() == phase;
    }

    @Override
    public String getName() {
        return phase.getName();
    }

    @Override
    public String getContextualName(LockObservationContext context) {
        return phase.name().toLowerCase(Locale.ROOT) + " " + context.template();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
        return KeyValues.of(
                LowCardinalityKey.LOCK.withValue(context.template()),
                LowCardinalityKey.KIND.withValue(context.kind().name().toLowerCase(Locale.ROOT)),
                LowCardinalityKey.OUTCOME.withValue(context.outcome().name().toLowerCase(Locale.ROOT)),
                LowCardinalityKey.REGISTRY.withValue(context.registry()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
        KeyValues name = KeyValues.of(HighCardinalityKey.NAME.withValue(
                context.names().stream().map(LockName::value).collect(Collectors.joining(","))));
        Handle handle = context.handle();
        if (handle != null) {
            return name.and(HighCardinalityKey.TOKEN.withValue(tokensOf(handle)));
        }
        Throwable refusal = context.refusal();
        return refusal == null
                ? name
                : name.and(HighCardinalityKey.REASON.withValue(String.valueOf(refusal.getMessage())));
    }

    private static String tokensOf(Handle handle) {
        return handle.parts().stream()
                .map(part -> part.fencingToken().toString())
                .collect(Collectors.joining(","));
    }
}
