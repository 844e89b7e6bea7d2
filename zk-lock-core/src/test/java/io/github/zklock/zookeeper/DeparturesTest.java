package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Loop;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeparturesTest {

    private static final String FOLDER = "/locks/stats";

    private final Loop loop = MemoryWire.loop();
    private final ManualTime time = new ManualTime(loop);
    private final MemoryWire wire = new MemoryWire(loop);
    private final PinnedSession tenure = new PinnedSession(new EngineRun(loop), wire, time, (source, outcome) -> {});
    private final Departures departures = new Departures(time, new Backoff(1, 1));
    private final List<String> told = new ArrayList<>();

    @Test
    void nodeIsDeletedOnceThereIsAConnection() {
        Departure departure = ofANode();
        departure.observe(new Told());

        departures.begin(departure);
        assertThat(told).isEmpty();
        departures.resume(tenure);

        assertThat(told).containsExactly("gone");
        assertThat(wire.isEmpty()).isTrue();
        assertThat(departures.isEmpty()).isTrue();
    }

    @Test
    void nothingIsKeptOfASeatThatIsLeftAfterTheClientWasClosed() {
        departures.resume(tenure);
        departures.abandon();

        Departure late = new Departure(FOLDER, new UUID(0, 1).toString(), tenure);
        late.observe(new Told());
        departures.begin(late);
        Departure unanswered = new Departure(FOLDER, new UUID(0, 2).toString(), tenure);
        departures.expect(unanswered);
        unanswered.observe(new Told());

        assertThat(told).containsExactly("unseen", "unseen");
        assertThat(departures.isEmpty()).isTrue();
    }

    @Test
    void aDeletionThatIsRefusedIsAttemptedOnceInAWhileHoweverOftenTheConnectionComesBack() {
        wire.refuseDeletions(Outcome.ACCESS_DENIED);
        Departure departure = ofANode();
        departure.observe(new Told());
        departures.begin(departure);
        for (int reconnect = 0; reconnect < 5; reconnect++) {
            departures.resume(tenure);
        }
        int before = wire.deletions();

        time.advance(Duration.ofMinutes(1).toNanos());
        assertThat(wire.deletions() - before).isEqualTo(6);
        wire.refuseDeletions(null);
        time.advance(Duration.ofMinutes(1).toNanos());

        assertThat(told).containsExactly("gone");
        assertThat(wire.deletions() - before).isEqualTo(7);
    }

    private Departure ofANode() {
        Departure departure = new Departure(FOLDER, new UUID(0, 1).toString(), tenure);
        wire.create(
                FOLDER + "/" + SeatName.stem(departure.id(), Demand.EXCLUSIVE),
                new byte[0],
                (outcome, node) -> departure.of(SeatName.ofPath(node.path())));
        return departure;
    }

    private final class Told implements Departure.Observer {
        @Override
        public void gone() {
            told.add("gone");
        }

        @Override
        public void unseen() {
            told.add("unseen");
        }
    }
}
