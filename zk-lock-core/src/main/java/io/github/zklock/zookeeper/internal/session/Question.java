package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that is sent again after an unknown outcome, until it is answered or dropped. If there is no answer in
 * time, it is sent again at once; if the connection is lost, it is sent again on the next connection. The end of the
 * session drops it. Use it only for requests that may be executed twice. Owned by the loop.
 *
 * <p>The reply never receives {@link Outcome#UNKNOWN}, {@link Outcome#CONNECTION_LOST} or {@link
 * Outcome#SESSION_ENDED}.
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
        // an answer to an earlier attempt may be older than what is known since
        int attempt = ++asked;
        request.accept((outcome, value) -> {
            if (!over && attempt == asked) {
                answered(outcome, value);
            }
        });
    }

    /** Ends the attempts: the answer is not needed any more. */
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
