package io.github.zklock.zookeeper.internal.session;

import java.util.OptionalLong;

/** Whether the leader may be about to close a session, although it accepts its requests. Owned by the loop. */
final class Suspicion {

    /*
     * A touch may have no effect. The leader removes a whole bucket of expired sessions from its queue
     * (ExpiryQueue.poll) and closes them one after the other (SessionTrackerImpl.run). Until it reaches a session, it
     * accepts connections, touches and writes of that session (SessionTrackerImpl.touchSession, checkSession), but a
     * touch only adds the session to a later bucket and does not remove it from the polled one (ExpiryQueue.update). So
     * no answer on the session shows whether it is in a polled bucket. The close may follow after any time, because the
     * leader writes a line of its log for each session before it (ZooKeeperServer.expire). Therefore a touch counts at
     * once only if it reached the leader before the previous touch had run out. If the proof had lapsed before, the
     * session is suspect.
     *
     * The leader polls a bucket only after it has closed all sessions of the buckets before. Therefore, if another
     * session has expired whose bucket is later than the instant at which the session became suspect, the leader has
     * closed all buckets that may contain the suspect session. Then the session is trusted again as soon as a write
     * commits that is sent after that. A sync is not enough: the leader answers it also for a session that it closes
     * (ProposalRequestProcessor.processRequest). ExpiryProbe creates the other session. (M26, M34)
     */

    /** While present, a polled bucket may contain the session: the instant of the answer that ended the lapse. */
    private OptionalLong since = OptionalLong.empty();
    /**
     * While present, the leader had closed all buckets that may have contained the suspect session. A write that is sent
     * at this instant or later commits only if none of them did.
     */
    private OptionalLong bucketsClosedAt = OptionalLong.empty();

    void begin(long now) {
        since = OptionalLong.of(now);
        bucketsClosedAt = OptionalLong.empty();
    }

    void end() {
        since = OptionalLong.empty();
        bucketsClosedAt = OptionalLong.empty();
    }

    boolean isPresent() {
        return since.isPresent();
    }

    /** Returns whether no later session is known to have expired. */
    boolean isOpen() {
        return since.isPresent() && bucketsClosedAt.isEmpty();
    }

    /**
     * Returns whether the expiry of another session would show that the leader does not close the session.
     *
     * @param bucketAfter an instant before which the leader does not expire the other session
     */
    boolean isEndedBy(long bucketAfter) {
        return since.isPresent() && bucketAfter - since.getAsLong() >= 0;
    }

    /** Records that the leader has closed all buckets that may contain the session. */
    void bucketsClosed(long now) {
        bucketsClosedAt = OptionalLong.of(now);
    }

    /** Returns whether a write that was sent at this instant and has committed shows that the session lives. */
    boolean isRefutedByCommit(long sentAt) {
        return since.isEmpty() || isSentAfterBuckets(sentAt);
    }

    private boolean isSentAfterBuckets(long sentAt) {
        return bucketsClosedAt.isPresent() && sentAt - bucketsClosedAt.getAsLong() >= 0;
    }
}
