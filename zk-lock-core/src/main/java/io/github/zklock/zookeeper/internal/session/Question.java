package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request that is sent again after an unknown outcome, until it is answered or dropped: at once where there was no answer in
 * time, and on the next connection where the connection was lost. A session that ends drops it. Only for requests that may be
 * carried out twice. Owned by the loop.
 *
 * <p>The reply is never told {@link Outcome#UNKNOWN}, {@link Outcome#CONNECTION_LOST} or {@link Outcome#SESSION_ENDED}.
 */
public final class Question<T> {

    private final PinnedSession session;
    private final Consumer<Reply<T>> request;
    private final Reply<T> reply;
    private int asked;
    private boolean over;

    public Question(PinnedSession session, Consumer<Reply<T>> request, Reply<T> reply) {
        this.session = session;
        this.request = request;
        this.reply = reply;
    }

    public void ask() {
        // an answer to an earlier attempt may be older than what the asker knows by now
        int attempt = ++asked;
        request.accept((outcome, value) -> {
            if (!over && attempt == asked) {
                answered(outcome, value);
            }
        });
    }

    /** The asker does not want the answer any more. */
    public void drop() {
        over = true;
        session.forget(this);
    }

    public boolean isOver() {
        return over;
    }

    private void answered(Outcome outcome, @Nullable T value) {
        switch (outcome) {
            case CONNECTION_LOST -> session.askOnNextConnection(this);
            case UNKNOWN -> ask();
            case SESSION_ENDED -> over = true;
            default -> {
                over = true;
                reply.answered(outcome, value);
            }
        }
    }
}
