package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who wakes the next one of those who wait for a semaphore's permits. (L20) */
class WakeUpTest {

    private static final Demand ONE = Demand.permits(1, 3);
    private static final Demand ALL = Demand.permits(3, 3);

    private final LoneSeats seats = new LoneSeats();
    private final Told told = new Told();

    @Test
    void seatThatHoldsAtOnceKnowsThatOthersStandBehindIt() {
        // whoever stands behind may have read an older queue, in which this seat waited
        Node own = seats.node(ONE);
        seats.node(ALL);

        seats.placementOf(own, told).look();

        assertThat(told.events).containsExactly("holds, awaited");
    }

    @Test
    void seatThatHoldsAfterItHasWaitedKnowsThatOthersStandBehindIt() {
        Node ahead = seats.node(ALL);
        Node own = seats.node(ONE);
        seats.node(ONE);
        seats.placementOf(own, told).look();
        assertThat(told.events).containsOnly("waits");

        seats.delete(ahead);

        assertThat(told.events).endsWith("waits", "holds, awaited");
    }

    @Test
    void seatThatIsTheLastKnowsThatNobodyStandsBehindIt() {
        seats.node(ONE);
        Node own = seats.node(ONE);

        seats.placementOf(own, told).look();

        assertThat(told.events).containsExactly("holds, not awaited");
    }

    @Test
    void seatBehindWhichOthersStandWritesItsNode() {
        Node own = seats.node(ONE);
        List<Event> seen = seats.watch(own);

        seats.seatOn(own).holds(true);

        assertThat(seen).containsExactly(Event.DATA_CHANGED);
    }

    @Test
    void seatBehindWhichNobodyStandsWritesNothing() {
        Node own = seats.node(ONE);
        List<Event> seen = seats.watch(own);

        seats.seatOn(own).holds(false);

        assertThat(seen).isEmpty();
    }

    @Test
    void seatsOfOtherKindsWriteNothing() {
        for (Demand demand : List.of(Demand.EXCLUSIVE, Demand.READ, Demand.WRITE)) {
            Node own = seats.node(demand);
            List<Event> seen = seats.watch(own);

            seats.seatOn(own).holds(true);

            assertThat(seen).as("%s", demand).isEmpty();
        }
    }

    /** Remembers what it was told. */
    private static final class Told implements Placement.Host {

        private final List<String> events = new ArrayList<>();

        @Override
        public @Nullable Seat ownSeat(SeatName name) {
            return null;
        }

        @Override
        public void holds(boolean awaited) {
            events.add(awaited ? "holds, awaited" : "holds, not awaited");
        }

        @Override
        public void waits() {
            events.add("waits");
        }

        @Override
        public void isFirst() {
            // it holds as well, which is told
        }

        @Override
        public void queueInDoubt() {
            events.add("queue in doubt");
        }

        @Override
        public void vanished(String reason) {
            events.add("vanished: " + reason);
        }

        @Override
        public void refused(Refusal.Reason reason, String why) {
            events.add("refused: " + why);
        }
    }
}
