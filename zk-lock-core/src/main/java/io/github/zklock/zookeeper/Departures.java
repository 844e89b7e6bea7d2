package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.queue.Line;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The nodes that are to be deleted, each until it is known to be gone: on its own session while that lives, on a later
 * one otherwise. Owned by the loop.
 */
final class Departures {

    /*
     * A session that ended by this side's opinion may live on at the server with its nodes, so on another session only
     * what is seen after a sync counts. (L4, L21)
     */

    private static final Logger LOG = EngineLog.of(Departures.class);

    private static final long REFUSED_PAUSE = 10_000_000_000L;

    private final Time time;
    private final Backoff backoff;
    private final Set<Departure> pending = new LinkedHashSet<>();
    /** Of nodes whose create was not answered yet: it may not even have been sent, so that nothing is to be found. */
    private final Set<Departure> expected = new LinkedHashSet<>();
    /** By folder, on the session of now. */
    private final Map<String, Convoy> convoys = new HashMap<>(1);

    private @Nullable PinnedSession tenure;
    private Runnable whenEmpty = () -> {};
    private boolean abandoned;

    Departures(Time time, Backoff backoff) {
        this.time = time;
        this.backoff = backoff;
    }

    boolean isEmpty() {
        return pending.isEmpty() && expected.isEmpty();
    }

    /** Runs the action each time the last one is gone; at once if none is left. */
    void whenEmpty(Runnable action) {
        whenEmpty = action;
        if (isEmpty()) {
            action.run();
        }
    }

    /** The node may yet come to exist: {@link #begin} or {@link #notNeeded} follows when its create is answered. */
    void expect(Departure departure) {
        if (abandoned) {
            departure.giveUp();
        } else {
            expected.add(departure);
        }
    }

    /** The node did not come to exist. */
    void notNeeded(Departure departure) {
        finish(departure);
    }

    void begin(Departure departure) {
        expected.remove(departure);
        if (abandoned) {
            departure.giveUp();
            return;
        }
        pending.add(departure);
        if (tenure != null) {
            attempt(departure, tenure);
        }
    }

    /** A connection is there: everything pending is attempted on this session. */
    void resume(PinnedSession connected) {
        tenure = connected;
        disband();
        Isolated.forEach(pending, departure -> attempt(departure, connected));
    }

    /** No connection, or no session: attempts wait for {@link #resume}. */
    void pause() {
        tenure = null;
        disband();
    }

    /** The ids of those whose nodes in this folder are to be deleted, or may be. */
    Set<String> leavingFrom(String folder) {
        return all().filter(departure -> departure.folder().equals(folder))
                .map(Departure::id)
                .collect(Collectors.toSet());
    }

    /** The ids of all seats whose nodes are to be deleted, or may be. */
    Set<String> leaving() {
        return all().map(Departure::id).collect(Collectors.toSet());
    }

    private Stream<Departure> all() {
        return Stream.concat(pending.stream(), expected.stream());
    }

    /** Deletes a folder whose sequence is used up, if it is empty, so that the sequence begins anew. (M7) */
    void restartSequence(PinnedSession on, String folder) {
        LOG.warn("The sequence of {} is used up; deleting the folder if it is empty", folder);
        time.after(backoff.pause(0), () -> on.delete(folder, (outcome, none) -> {}));
    }

    /** The client is closed for good: its session ends, and its nodes with it, but nobody will see it, now or later. */
    void abandon() {
        abandoned = true;
        tenure = null;
        disband();
        List<Departure> unseen = all().toList();
        pending.clear();
        expected.clear();
        unseen.forEach(Departure::giveUp);
        // what it runs may end the engine, which leads back here
        Runnable last = whenEmpty;
        whenEmpty = () -> {};
        last.run();
    }

    private void attempt(Departure departure, PinnedSession on) {
        try {
            send(departure, on);
        } catch (RuntimeException error) {
            failed(departure, on, error);
        }
    }

    /** Whoever leaves must not be held up, and the node not be forgotten. (L19) */
    private void failed(Departure departure, PinnedSession on, Throwable error) {
        LOG.warn("Node of seat {} in {} could not be deleted yet", departure.id(), departure.folder(), error);
        againLater(departure, on);
    }

    private void send(Departure departure, PinnedSession on) {
        Convoy convoy = departure.goesAlone() ? null : convoys.get(departure.folder());
        if (departure.name() == null) {
            search(departure, on);
        } else if (departure.heirOn(on) != null) {
            convoys.computeIfAbsent(departure.folder(), folder -> new Convoy(new Together(folder, on), on))
                    .join(departure);
        } else if (convoy != null) {
            convoy.joinLast(departure);
        } else {
            on.delete(departure.path(), (outcome, none) -> deleted(departure, on, outcome));
        }
    }

    private void search(Departure departure, PinnedSession on) {
        on.listCommitted(departure.folder(), (outcome, children) -> {
            List<SeatName> found = outcome == Outcome.OK && children != null
                    ? Line.of(children).ownedBy(departure.id())
                    : List.of();
            if (!found.isEmpty()) {
                found.stream().skip(1).forEach(sibling -> sibling(departure, sibling, on));
                delete(departure, found.get(0), on);
            } else {
                deleted(departure, on, outcome);
            }
        });
    }

    /** By a name that may have changed meanwhile: a writer's seat that was to become a reader's. */
    private void delete(Departure departure, SeatName found, PinnedSession on) {
        on.delete(departure.folder() + "/" + found.node(), (outcome, none) -> {
            if (outcome == Outcome.NO_NODE) {
                again(departure, on);
            } else {
                deleted(departure, on, outcome);
            }
        });
    }

    private void sibling(Departure departure, SeatName sibling, PinnedSession on) {
        Departure stray = new Departure(departure.folder(), departure.id(), on);
        stray.of(sibling);
        stray.occupy(sibling.demand());
        begin(stray);
    }

    private void deleted(Departure departure, PinnedSession on, Outcome outcome) {
        if (departure.isFinished()) {
            finish(departure);
            return;
        }
        switch (outcome) {
            case OK -> finish(departure);
            case NO_NODE -> {
                // somebody else has been at work here
                departure.doubtHeir(on);
                finish(departure);
            }
            case UNKNOWN -> again(departure, on);
            case CONNECTION_LOST, SESSION_ENDED -> {
                // attempted again by resume
            }
            default -> {
                LOG.warn(
                        "Node {} in {} cannot be deleted ({}): it stands in the queue until that works, or until its"
                                + " session ends",
                        departure.name(),
                        departure.folder(),
                        outcome);
                againLater(departure, on);
            }
        }
    }

    private void againLater(Departure departure, PinnedSession on) {
        departure.retryAt(time.after(REFUSED_PAUSE, () -> again(departure, on)));
    }

    private void again(Departure departure, PinnedSession on) {
        if (tenure == on && pending.contains(departure)) {
            attempt(departure, on);
        }
    }

    private void finish(Departure departure) {
        pending.remove(departure);
        expected.remove(departure);
        try {
            departure.finish();
        } finally {
            if (isEmpty()) {
                whenEmpty.run();
            }
        }
    }

    private void disband() {
        convoys.values().forEach(Convoy::disband);
        convoys.clear();
    }

    /** Of the convoy of one folder, on one session. */
    private final class Together implements Convoy.Host {

        private final String folder;
        private final PinnedSession on;

        Together(String folder, PinnedSession on) {
            this.folder = folder;
            this.on = on;
        }

        @Override
        public void gone(Departure departure) {
            finish(departure);
        }

        @Override
        public void isInDoubt(Departure departure, Outcome outcome) {
            deleted(departure, on, outcome);
        }

        @Override
        public void again(Departure departure) {
            Departures.this.again(departure, on);
        }

        @Override
        public void failed(Departure departure, Throwable error) {
            Departures.this.failed(departure, on, error);
        }

        @Override
        public void isOver() {
            if (tenure == on) {
                convoys.remove(folder);
            }
        }
    }
}
