package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction in the ensemble's log: what it changes, and how the request behind it ended.
 *
 * @param session that asked for it; 0 for an operator
 * @param origin the connection that waits for the answer
 * @param request what was asked
 * @param opened the session that it opens, or 0
 * @param closed the session that it closes, or 0
 */
record SimTxn(
        long zxid,
        long session,
        @Nullable SimConnection origin,
        SimRequest request,
        Outcome outcome,
        @Nullable Object value,
        List<Change> changes,
        long opened,
        long closed,
        SimProposal proposal) {

    /** One change of the tree. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they came, never compared
    sealed interface Change {
        String path();

        record Created(String path, long owner, byte[] data) implements Change {}

        record Deleted(String path) implements Change {}

        record Rewritten(String path, byte[] data) implements Change {}

        record Counted(String path, int creates) implements Change {}
    }
}
