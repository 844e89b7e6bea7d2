package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.runtime.Isolated;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The questions about locks that wait for a connection. Owned by the loop. */
public final class Enquiries {

    /** A question that can be asked once a session is connected. */
    public interface Question {
        void askOn(PinnedSession session);

        /** Called if the registry closes, the servers reject this client, or the engine fails before the question is asked. */
        void cannotBeAsked(Refusal why);
    }

    private final SessionKeeper keeper;
    private final Set<Question> waiting = new LinkedHashSet<>();
    private boolean ended;

    public Enquiries(SessionKeeper keeper) {
        this.keeper = keeper;
    }

    /** Asks the question on the session, as soon as one is connected. */
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

    /** Removes the question: its answer is not needed any more. */
    public void forget(Question question) {
        waiting.remove(question);
    }

    public void connected(PinnedSession session) {
        List<Question> all = List.copyOf(waiting);
        waiting.clear();
        Isolated.forEach(all, question -> question.askOn(session));
    }

    /** Rejects all questions: the registry closes. */
    public void end() {
        ended = true;
        refuseAll(Refusal.closed());
    }

    /** Rejects all waiting questions. */
    public void refuseAll(Refusal why) {
        List<Question> all = List.copyOf(waiting);
        waiting.clear();
        Isolated.forEach(all, question -> question.cannotBeAsked(why));
    }
}
