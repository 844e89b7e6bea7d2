package io.github.zklock.observation;

import io.github.zklock.Leadership;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Collection;
import java.util.function.Supplier;

/** Binds leaderships to gauges. */
public final class LeadershipMeters implements MeterBinder {

    private final Supplier<? extends Collection<Leadership>> leaderships;

    /** @param leaderships is called when meters are bound, so that no leadership is created before */
    public LeadershipMeters(Supplier<? extends Collection<Leadership>> leaderships) {
        this.leaderships = leaderships;
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        for (Leadership leadership : leaderships.get()) {
            Gauge.builder("zklock.leader", leadership, each -> each.isLeader() ? 1 : 0)
                    .description("Whether this process is the leader: 1 or 0")
                    .tag("leadership", leadership.name().value())
                    .register(meters);
        }
    }
}
