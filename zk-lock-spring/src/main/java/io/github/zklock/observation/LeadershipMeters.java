package io.github.zklock.observation;

import io.github.zklock.Leadership;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Collection;
import java.util.List;

/** Binds leaderships to gauges. */
public final class LeadershipMeters implements MeterBinder {

    private final List<Leadership> leaderships;

    public LeadershipMeters(Collection<Leadership> leaderships) {
        this.leaderships = List.copyOf(leaderships);
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        for (Leadership leadership : leaderships) {
            Gauge.builder("zklock.leader", leadership, each -> each.isLeader() ? 1 : 0)
                    .description("Whether this process is the leader: 1 or 0")
                    .tag("leadership", leadership.name().value())
                    .register(meters);
        }
    }
}
