package io.github.zklock.observation;

import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * Creates the observations of calls of methods with {@link io.github.zklock.annotation.DistributedLock}. Acquisition
 * and hold are children of the caller's observation, even if they begin or end on another thread. Only the interceptor
 * uses it.
 */
public final class LockObservations {

    /**
     * The key under which Micrometer's context propagation stores the current observation in the context of a
     * subscriber.
     */
    static final String CONTEXT_KEY = "micrometer.observation";

    private static final Logger LOG = LoggerFactory.getLogger(LockObservations.class);

    private final ObservationRegistry registry;
    private final List<LockObservationConvention> conventions;
    private final Supplier<String> defaultLocks;

    /**
     * Creates observations in this registry.
     *
     * @param conventions the first convention that supports a context replaces the default
     * @param defaultLocks returns the bean name of the lock registry for calls that name none
     */
    LockObservations(
            ObservationRegistry registry, List<LockObservationConvention> conventions, Supplier<String> defaultLocks) {
        this.registry = registry;
        this.conventions = List.copyOf(conventions);
        this.defaultLocks = defaultLocks;
    }

    /** Uses the {@link ObservationRegistry} of the application if it has exactly one or a primary one. */
    public static LockObservations of(ConfigurableListableBeanFactory beans) {
        return new LockObservations(
                beans.getBeanProvider(ObservationRegistry.class).getIfUnique(() -> ObservationRegistry.NOOP),
                beans.getBeanProvider(LockObservationConvention.class)
                        .orderedStream()
                        .toList(),
                SingletonSupplier.of(
                        () -> beans.resolveNamedBean(LockRegistry.class).getBeanName()));
    }

    /**
     * An observed call.
     *
     * @param template the lock names before evaluation, separated by commas
     * @param names the lock names after evaluation
     * @param registry the bean name of the lock registry; empty for the default
     */
    public record Call(String template, List<LockName> names, LockKind kind, int permits, String registry) {}

    /** Returns whether nothing is observed. */
    public boolean isNoop() {
        return registry.isNoop();
    }

    /**
     * Starts the observation of an acquisition.
     *
     * @param carried returns the value of a key in the context of the subscriber; null if the call is not reactive, or
     *     if the context does not have the key
     */
    public CallObservation begin(Call call, Function<Object, @Nullable Object> carried) {
        if (registry.isNoop()) {
            return CallObservation.NOTHING;
        }
        return guarded(
                () -> {
                    ObservationView parent = carried.apply(CONTEXT_KEY) instanceof Observation outer
                            ? outer
                            : registry.getCurrentObservation();
                    return new StartedObservation(this, withRegistry(call), parent);
                },
                CallObservation.NOTHING);
    }

    /** Starts an observation as a child of this parent. The current observation of the thread is ignored. */
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
        try {
            return observation.start();
        } catch (Throwable broken) {
            // the handlers before the failed one have started the observation
            guarded(observation::stop);
            throw broken;
        }
    }

    /**
     * Opens a scope. When the scope is closed, the thread has its former observation again, even if a handler fails.
     */
    CallObservation.Scope open(Observation observation) {
        Observation.Scope outer = registry.getCurrentObservationScope();
        Observation.Scope scope = guarded(observation::openScope, Observation.Scope.NOOP);
        if (scope.isNoop()) {
            registry.setCurrentObservationScope(outer);
            return () -> {};
        }
        return () -> {
            guarded(scope::close);
            if (registry.getCurrentObservationScope() == scope) {
                registry.setCurrentObservationScope(outer);
            }
        };
    }

    static void guarded(Runnable step) {
        guarded(
                () -> {
                    step.run();
                    return Boolean.TRUE;
                },
                Boolean.FALSE);
    }

    /** Runs a step and logs its failure: a handler or a convention that fails must not affect the lock. */
    static <T> T guarded(Supplier<T> step, T otherwise) {
        try {
            return step.get();
        } catch (Throwable broken) {
            LOG.warn("The observation of a locked call failed; the call continues", broken);
            return otherwise;
        }
    }

    private Call withRegistry(Call call) {
        return call.registry().isEmpty()
                ? new Call(call.template(), call.names(), call.kind(), call.permits(), defaultLocks.get())
                : call;
    }
}
