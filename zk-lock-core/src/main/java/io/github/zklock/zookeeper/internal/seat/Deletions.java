package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The nodes that are to be deleted. Each one is pursued until it is known to be deleted: on its own session while that
 * is alive, on a later session afterwards. Owned by the loop.
 */
public final class Deletions {

    /*
     * A session that the client regards as ended may still be alive at the servers, with its nodes. Therefore pending
     * deletions continue on the next session. A delete by name is conclusive. A node whose name is not known counts as
     * deleted only if a listing behind a commit does not contain it. (L4, L21, L25)
     */

    private static final Logger LOG = EngineLog.of(Deletions.class);
    private static final long REFUSED_PAUSE_NANOS = 10_000_000_000L;

    private final Time time;
    private final Set<Deletion> pending = new LinkedHashSet<>();
    /** Deletions whose create is not answered yet. The create may not even have been sent, so a listing proves nothing. */
    private final Set<Deletion> expected = new LinkedHashSet<>();

    private @Nullable PinnedSession session;
    private Runnable whenEmpty = () -> {};
    private boolean abandoned;

    public Deletions(Time time) {
        this.time = time;
    }

    public boolean isEmpty() {
        return pending.isEmpty() && expected.isEmpty();
    }

    /** Runs the action each time when the last deletion has ended; at once if there is none. */
    public void whenEmpty(Runnable action) {
        whenEmpty = action;
        if (isEmpty()) {
            action.run();
        }
    }

    /** Returns the ids of all nodes that are to be deleted or may have to be. */
    public Set<String> ids() {
        return all().map(Deletion::id).collect(Collectors.toSet());
    }

    /** Attempts all pending deletions on this session, if it differs from the previous one. */
    public void continueOn(PinnedSession next) {
        if (session != next) {
            session = next;
            List.copyOf(pending).forEach(deletion -> attempt(deletion, next));
        }
    }

    /** Records the end of the session: attempts wait for {@link #continueOn}. */
    public void sessionEnded() {
        session = null;
    }

    /**
     * Ends all deletions because the client is closed. Its session ends and ZooKeeper deletes the nodes, but this
     * process cannot confirm that.
     */
    public void abandon() {
        abandoned = true;
        session = null;
        List<Deletion> unseen = all().toList();
        pending.clear();
        expected.clear();
        unseen.forEach(Deletion::giveUp);
        // the action may end the engine, which calls this method again
        Runnable last = whenEmpty;
        whenEmpty = () -> {};
        last.run();
    }

    /**
     * Adds a deletion whose node may still be created. {@link #begin} or {@link #finish} follows when its create is
     * answered.
     */
    void expect(Deletion deletion) {
        if (abandoned) {
            deletion.giveUp();
        } else {
            expected.add(deletion);
        }
    }

    void begin(Deletion deletion) {
        expected.remove(deletion);
        if (abandoned) {
            deletion.giveUp();
            return;
        }
        pending.add(deletion);
        if (session != null) {
            attempt(deletion, session);
        }
    }

    /** Deletes a node that belongs to no seat. */
    public void beginStray(String folder, SeatName name, PinnedSession owner, boolean counted) {
        Deletion stray = new Deletion(folder, name.id(), owner, false);
        stray.setName(name);
        if (counted) {
            stray.occupy(owner.bytesOf(folder, name.demand()));
        }
        begin(stray);
    }

    /** Deletes a folder whose sequence numbers are used up, if it is empty, so that they start anew. (M7) */
    void restartSequence(PinnedSession on, String folder, long pauseNanos) {
        LOG.warn("The sequence numbers of {} are used up; deleting the folder if it is empty", folder);
        time.after(pauseNanos, () -> on.delete(new Change.Delete(folder), (outcome, none) -> {}));
    }

    private Stream<Deletion> all() {
        return Stream.concat(pending.stream(), expected.stream());
    }

    private void attempt(Deletion deletion, PinnedSession on) {
        SeatName name = deletion.name();
        if (name == null) {
            search(deletion, on);
        } else {
            Change.Delete delete =
                    new Change.Delete(name.pathIn(deletion.folder()), Change.ANY_VERSION, deletion.canWait());
            on.<Void>ask(reply -> on.delete(delete, reply), (outcome, none) -> deleted(deletion, on, outcome));
        }
    }

    private void search(Deletion deletion, PinnedSession on) {
        on.<List<SeatName>>ask(reply -> on.find(deletion.folder(), deletion.id(), reply), (outcome, found) -> {
            if (found == null || found.isEmpty()) {
                deleted(deletion, on, outcome);
            } else {
                found.stream().skip(1).forEach(sibling -> beginStray(deletion.folder(), sibling, on, true));
                deleteFound(deletion, found.get(0), on);
            }
        });
    }

    /**
     * Deletes the node by the found name. The name may have changed meanwhile, if a write seat was being replaced by a
     * read seat.
     */
    private void deleteFound(Deletion deletion, SeatName found, PinnedSession on) {
        Change.Delete delete = new Change.Delete(found.pathIn(deletion.folder()));
        on.<Void>ask(reply -> on.delete(delete, reply), (outcome, none) -> {
            if (outcome == Outcome.NO_NODE) {
                attempt(deletion, on);
            } else {
                deleted(deletion, on, outcome);
            }
        });
    }

    private void deleted(Deletion deletion, PinnedSession on, Outcome outcome) {
        if (outcome == Outcome.OK || outcome == Outcome.NO_NODE || deletion.isFinished()) {
            finish(deletion);
        } else {
            LOG.warn(
                    "Node {} in {} cannot be deleted ({}): it stays in the queue until a deletion succeeds or its session ends",
                    deletion.name() == null ? deletion.id() : deletion.name().node(),
                    deletion.folder(),
                    outcome);
            time.after(REFUSED_PAUSE_NANOS, () -> {
                if (session == on && pending.contains(deletion)) {
                    attempt(deletion, on);
                }
            });
        }
    }

    /** Ends a deletion whose node is deleted or was not created. */
    void finish(Deletion deletion) {
        pending.remove(deletion);
        expected.remove(deletion);
        try {
            deletion.finish();
        } finally {
            if (isEmpty()) {
                whenEmpty.run();
            }
        }
    }
}
