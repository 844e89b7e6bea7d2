package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DoubtTest implements Doubt.Host {

    private static final String FOLDER = "/locks/stats";

    private final Queue<Runnable> way = new ArrayDeque<>();
    private final MemoryWire wire = new MemoryWire(way::add);
    private final ManualTime time = new ManualTime(Runnable::run);
    private final PinnedSession tenure =
            new PinnedSession(new EngineRun(Runnable::run), wire, time, (source, outcome) -> {});
    private final Departures departures = new Departures(time, new Backoff(1, 1));
    private final List<String> told = new ArrayList<>();
    private final Guard guard = new Guard(error -> told.add("failed: " + error));
    private final Doubt doubt = new Doubt(this, tenure, departures, FOLDER, guard);

    @Test
    void theOnlyOneIsTheFirst() {
        doubt.raise(node(1));

        carryOutAll();

        assertThat(told).containsExactly("first");
    }

    @Test
    void oneBehindAnotherThatLeavesIsTheFirst() {
        Departure leaving = new Departure(FOLDER, new UUID(0, 1).toString(), tenure);
        leaving.of(node(1));
        departures.begin(leaving);
        doubt.raise(node(2));

        carryOutAll();

        assertThat(told).containsExactly("first");
    }

    @Test
    void oneBehindAnotherThatStaysIsNot() {
        node(1);
        doubt.raise(node(2));

        carryOutAll();

        assertThat(told).singleElement().asString().startsWith("displaced: its queue was deleted");
    }

    @Test
    void oneThatIsNotThereHasVanished() {
        doubt.raise(node(1));
        wire.clear();

        carryOutAll();

        assertThat(told).containsExactly("vanished");
    }

    @Test
    void questionWhoseAnswerWasLostIsAskedAgainOnceTheConnectionIsBack() {
        doubt.raise(node(1));
        way.clear();

        doubt.connectionRestored();
        carryOutAll();

        assertThat(told).containsExactly("first");
    }

    @Test
    void nothingIsAskedAgainThatWasAnswered() {
        doubt.raise(node(1));
        carryOutAll();

        doubt.connectionRestored();

        assertThat(way).isEmpty();
    }

    @Test
    void whoHasLeftIsToldNothing() {
        doubt.raise(node(1));
        doubt.end();

        carryOutAll();
        doubt.connectionRestored();

        assertThat(told).isEmpty();
        assertThat(way).isEmpty();
    }

    @Override
    public void isFirst() {
        told.add("first");
    }

    @Override
    public void vanished(String reason) {
        told.add("vanished");
    }

    @Override
    public void displaced(String reason) {
        told.add("displaced: " + reason);
    }

    private SeatName node(int id) {
        return SeatName.ofPath(wire.createNow(
                        FOLDER + "/" + SeatName.stem(new UUID(0, id).toString(), Demand.EXCLUSIVE))
                .path());
    }

    private void carryOutAll() {
        while (!way.isEmpty()) {
            way.remove().run();
        }
    }
}
