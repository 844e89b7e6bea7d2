package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimRequest.Kind;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests that a client has taken and not answered: those sent, in order, and those that wait for a connection. */
final class SimPending {

    private final ArrayDeque<SimRequest> unsent = new ArrayDeque<>(4);
    private final ArrayDeque<SimRequest> sent = new ArrayDeque<>(4);

    void keep(SimRequest request) {
        unsent.add(request);
    }

    @Nullable SimRequest nextToSend() {
        return unsent.poll();
    }

    void sent(SimRequest request) {
        sent.add(request);
    }

    void answered(SimRequest request) {
        answerDropped(request);
        if (sent.peek() == request) {
            sent.poll();
        }
    }

    /** Dropped requests that stand before this one are answered first: nobody knows what became of them. */
    void answerDropped(@Nullable SimRequest before) {
        while (!sent.isEmpty() && sent.peek() != before && sent.peek().dropped) {
            sent.poll().answer(Outcome.UNKNOWN, null);
        }
    }

    /** The oldest request that was sent gets no answer in time, whatever becomes of it. */
    void timeOutFirst() {
        SimRequest first = sent.peek();
        if (first != null && first.kind != Kind.PING && first.kind != Kind.CLOSE_SESSION) {
            sent.poll();
            first.answer(Outcome.UNKNOWN, null);
        }
    }

    void failUnsent(Outcome outcome) {
        fail(unsent, outcome);
    }

    void failAll(Outcome outcome) {
        fail(sent, outcome);
        fail(unsent, outcome);
    }

    private static void fail(ArrayDeque<SimRequest> requests, Outcome outcome) {
        List<SimRequest> failed = new ArrayList<>(requests);
        requests.clear();
        failed.forEach(request -> request.answer(outcome, null));
    }
}
