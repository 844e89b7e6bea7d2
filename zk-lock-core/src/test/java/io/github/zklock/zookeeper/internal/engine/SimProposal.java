package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a leader wants committed: known to each server from the instant at which it has logged it. */
final class SimProposal {

    static final long NEVER = Long.MAX_VALUE;

    final long zxid;
    final long session;
    final @Nullable SimConnection origin;
    final SimRequest request;
    /** How it ends whatever the tree says: for requests of sessions that are over. */
    final @Nullable Outcome verdict;
    /** What its leader had carried out when it proposed this. */
    final long seenZxid;
    /** Its leader's clock at that moment. */
    final long millis;

    final long[] loggedAt;
    final long[] acknowledgedAt;
    /** Syncs that wait for it. */
    final List<Runnable> followers = new ArrayList<>(0);

    SimProposal(
            long zxid,
            long session,
            @Nullable SimConnection origin,
            SimRequest request,
            @Nullable Outcome verdict,
            long seenZxid,
            long millis) {
        this.zxid = zxid;
        this.session = session;
        this.origin = origin;
        this.request = request;
        this.verdict = verdict;
        this.seenZxid = seenZxid;
        this.millis = millis;
        this.loggedAt = new long[SimEnsemble.VOTERS];
        this.acknowledgedAt = new long[SimEnsemble.VOTERS];
        Arrays.fill(loggedAt, NEVER);
        Arrays.fill(acknowledgedAt, NEVER);
    }

    /** What the server has not logged by now does not come to its log, and is not acknowledged. */
    void notLogged(int server, long now) {
        if (loggedAt[server] > now) {
            loggedAt[server] = NEVER;
            acknowledgedAt[server] = NEVER;
        }
    }
}
