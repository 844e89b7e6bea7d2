package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.runtime.Isolated;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Questions about locks that wait for a connection. Owned by the loop. */
public final class Enquiries {

    /** What somebody wants to know. */
    public interface Question {
        void askOn(PinnedSession session);

        /** No connection will come, or none on which it could be asked. */
        void cannotBeAsked(Refusal why);
    }

    private final SessionKeeper keeper;
    private final Set<Question> waiting = new LinkedHashSet<>();
    private boolean ended;

    public Enquiries(SessionKeeper keeper) {
        this.keeper = keeper;
    }

    /** Asks on the session, once one is connected. */
    public void ask(Question question) {
        PinnedSession connected = keeper.connected().orElse(null);
        if (connected != null) {
            question.askOn(connected);
        } else if (ended) {
            question.cannotBeAsked(Refusal.closed());
        } else {
            keeper.denial().ifPresentOrElse(question::cannotBeAsked, () -> waiting.add(question));
        }
    }

    /** Nobody waits for the answer any more. */
    public void forget(Question question) {
        waiting.remove(question);
    }

    public void connected(PinnedSession session) {
        List<Question> all = List.copyOf(waiting);
        waiting.clear();
        Isolated.forEach(all, question -> question.askOn(session));
    }

    /** The registry closes. */
    public void end() {
        ended = true;
        refuseAll(Refusal.closed());
    }

    /** The servers do not let this client ask. */
    public void refuseAll(Refusal why) {
        List<Question> all = List.copyOf(waiting);
        waiting.clear();
        Isolated.forEach(all, question -> question.cannotBeAsked(why));
    }
}
