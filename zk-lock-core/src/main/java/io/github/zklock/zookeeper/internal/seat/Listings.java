package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Question;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The listings of one lock's folder, numbered in the order of the requests for them. Few are under way at a time: the
 * requests that exceed this number share the next listing. Owned by the loop.
 */
final class Listings {

    /** The receiver of the answers. */
    interface Receiver {

        void listed(int number, Outcome outcome, @Nullable List<String> children);
    }

    /** The number of listings under way from which on further ones are shared by all that need one. */
    private static final int MOST_UNDER_WAY = 4;

    private final PinnedSession session;
    private final String folder;
    private final Receiver receiver;
    private final List<Question<List<String>>> underWay = new ArrayList<>(1);
    private int latest;
    /** Whether the latest listing is sent only when one of those under way is answered. */
    private boolean latestIsDue;

    private int answered;

    Listings(PinnedSession session, String folder, Receiver receiver) {
        this.session = session;
        this.folder = folder;
        this.receiver = receiver;
    }

    /**
     * Requests a listing that shows everything committed so far. Returns its number. If several are under way, it is
     * sent when one of them is answered, and serves all requests until then.
     */
    int request() {
        if (!latestIsDue) {
            latest++;
            latestIsDue = true;
            underWay.removeIf(Question::isOver);
            if (underWay.size() < MOST_UNDER_WAY) {
                send();
            }
        }
        return latest;
    }

    private void send() {
        int number = latest;
        latestIsDue = false;
        underWay.add(session.<List<String>>ask(
                reply -> session.list(folder, reply), (outcome, children) -> answered(number, outcome, children)));
    }

    private void answered(int number, Outcome outcome, @Nullable List<String> children) {
        if (latestIsDue) {
            send();
        }
        answered = Math.max(answered, number);
        receiver.listed(number, outcome, children);
    }

    /** Returns the number of the latest listing that was answered. */
    int answered() {
        return answered;
    }

    /** Returns whether a listing is not answered yet. */
    boolean isAnyUnderWay() {
        return latest > answered;
    }

    void end() {
        underWay.forEach(Question::drop);
    }
}
