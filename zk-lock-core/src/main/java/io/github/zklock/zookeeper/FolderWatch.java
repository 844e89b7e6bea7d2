package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.util.List;

/**
 * Lists a lock's folder and tells of the next change of its children: somebody came or left. Owned by the loop.
 */
final class FolderWatch implements Front, Watch {

    private final PinnedSession tenure;
    private final String folder;
    private final Reply<List<String>> listed;
    private final Runnable changed;
    private boolean ended;

    /**
     * @param listed what the folder held when the watch was set; never {@link Outcome#UNKNOWN}
     * @param changed runs once for each time that the watch was set
     */
    FolderWatch(PinnedSession tenure, String folder, Reply<List<String>> listed, Runnable changed) {
        this.tenure = tenure;
        this.folder = folder;
        this.listed = listed;
        this.changed = changed;
    }

    @Override
    public String path() {
        return folder;
    }

    @Override
    public boolean mayHaveMissedSomething() {
        // the listing that comes with the watch says what the watch does not
        return false;
    }

    @Override
    public void arm() {
        tenure.listWatching(folder, this, (outcome, children) -> {
            if (!ended && outcome == Outcome.UNKNOWN) {
                // nor is it known whether the watch was set
                arm();
            } else if (!ended) {
                listed.answered(outcome, children);
            }
        });
    }

    @Override
    public boolean isOver() {
        return ended;
    }

    @Override
    public void end() {
        if (!ended) {
            ended = true;
            tenure.unwatch(folder, this);
        }
    }

    @Override
    public void happened(Event event) {
        if (!ended) {
            changed.run();
        }
    }
}
