package io.github.zklock.observation;

import io.github.zklock.LockInspector;
import io.github.zklock.LockRegistry;
import io.github.zklock.Registration;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Binds the locks of registries to meters. A listener counts events, and gauges read the state. */
public final class LockMeters implements MeterBinder, AutoCloseable {

    private final Map<String, LockRegistry> registries;
    private final LockGroups groups;
    private final List<Registration> registrations = new CopyOnWriteArrayList<>();

    /**
     * Creates the meters of these registries.
     *
     * @param registries the registries by name, which becomes the tag {@code registry}
     * @param patterns names or patterns of locks, such as {@code /orders/*}; the first pattern that matches a lock
     *     becomes the tag {@code lock} of its meters
     */
    public LockMeters(Map<String, LockRegistry> registries, List<String> patterns) {
        this.registries = new LinkedHashMap<>(registries);
        this.groups = new LockGroups(patterns);
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        registries.forEach((name, registry) -> {
            registrations.add(registry.addListener(new EventMeters(meters, name, groups)));
            bindState(meters, Tags.of("registry", name), registry);
        });
    }

    @Override
    public void close() {
        registrations.forEach(Registration::close);
    }

    private static void bindState(MeterRegistry meters, Tags tags, LockRegistry registry) {
        gauge(meters, tags, registry, LockMeter.HELD, locks -> locks.held().size());
        gauge(
                meters,
                tags,
                registry,
                LockMeter.WAITING,
                locks -> locks.awaited().size());
        gauge(
                meters,
                tags,
                registry,
                LockMeter.CONNECTED,
                locks -> locks.session().connected() ? 1 : 0);
        gauge(
                meters,
                tags,
                registry,
                LockMeter.SEAT_BYTES,
                locks -> locks.session().seatBytes());
        gauge(
                meters,
                tags,
                registry,
                LockMeter.SEAT_BUDGET,
                locks -> locks.session().seatBudget());
        FunctionCounter.builder(
                        LockMeter.RENEWALS.key,
                        registry,
                        each -> each.inspector().session().renewals())
                .description(LockMeter.RENEWALS.description)
                .tags(tags)
                .register(meters);
        TimeGauge.builder(
                        LockMeter.REMAINING.key,
                        registry,
                        TimeUnit.NANOSECONDS,
                        each -> each.inspector().session().remaining().toNanos())
                .description(LockMeter.REMAINING.description)
                .tags(tags)
                .register(meters);
    }

    private static void gauge(
            MeterRegistry meters,
            Tags tags,
            LockRegistry registry,
            LockMeter meter,
            ToDoubleFunction<LockInspector> value) {
        Gauge.builder(meter.key, registry, each -> value.applyAsDouble(each.inspector()))
                .description(meter.description)
                .tags(tags)
                .register(meters);
    }
}
