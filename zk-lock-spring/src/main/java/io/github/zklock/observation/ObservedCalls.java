package io.github.zklock.observation;

import io.github.zklock.aop.CallObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Observes calls of annotated methods: acquisition and hold are children of what the caller observes, also where they
 * begin or end on another thread.
 */
public final class ObservedCalls implements CallObserver {

    /** Under which Micrometer's integration keeps the current observation in a subscriber's context. */
    static final String CONTEXT_KEY = "micrometer.observation";

    private final ObservationRegistry registry;
    private final List<LockObservationConvention> conventions;
    private final Supplier<String> defaultLocks;

    /**
     * Observes calls by this registry.
     *
     * @param conventions of which the first one that supports a context is asked, before the default
     * @param defaultLocks names the registry of calls that name none
     */
    public ObservedCalls(
            ObservationRegistry registry, List<LockObservationConvention> conventions, Supplier<String> defaultLocks) {
        this.registry = registry;
        this.defaultLocks = defaultLocks;
        this.conventions = List.copyOf(conventions);
    }

    @Override
    public Observed begin(Call call, Function<Object, @Nullable Object> carried) {
        if (registry.isNoop()) {
            return Observed.NOTHING;
        }
        ObservationView parent =
                carried.apply(CONTEXT_KEY) instanceof Observation outer ? outer : registry.getCurrentObservation();
        return new ObservedCall(this, withRegistry(call), parent);
    }

    /** Starts an observation below this parent, whatever is current on this thread. */
    Observation start(LockObservationContext context, @Nullable ObservationView parent) {
        Observation observation = Observation.createNotStarted(
                conventions.stream()
                        .filter(each -> each.supportsContext(context))
                        .findFirst()
                        .orElse(null),
                new DefaultLockObservationConvention(context.phase()),
                () -> context,
                registry);
        if (!observation.isNoop()) {
            context.setParentObservation(parent);
        }
        return observation.start();
    }

    private Call withRegistry(Call call) {
        return call.registry().isEmpty()
                ? new Call(call.template(), call.names(), call.mode(), call.permits(), defaultLocks.get())
                : call;
    }
}
