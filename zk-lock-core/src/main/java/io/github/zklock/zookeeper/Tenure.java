package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.SessionProof.Proves;
import io.github.zklock.zookeeper.WireSession.Liveness;
import io.github.zklock.zookeeper.WireSession.Node;
import io.github.zklock.zookeeper.WireSession.Reply;
import io.github.zklock.zookeeper.WireSession.Watch;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time for which one session is ours, from pinning until it ends: the session, the proof that it lives, and the
 * seats that stand on it. Every request of the engine goes through here, so that each answer adds to the proof.
 */
final class Tenure {

    /** Is told how requests ended, before whoever asked is. */
    interface Observer {
        void answered(Tenure tenure, Outcome outcome);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Tenure.class);
    private static final int UNKNOWN_PAUSES = 64;

    private final WireSession session;
    private final SessionProof proof;
    private final Time time;
    private final Observer observer;
    private final Set<Seat> seats = new LinkedHashSet<>();
    private boolean ended;

    Tenure(WireSession session, Time time, Observer observer) {
        this.session = session;
        this.time = time;
        this.observer = observer;
        this.proof = new SessionProof(session.timeoutNanos(), session.createdAfterNanos(), time.nanoTime());
    }

    long sessionId() {
        return session.id();
    }

    long timeoutNanos() {
        return session.timeoutNanos();
    }

    Liveness liveness() {
        return session.liveness();
    }

    SessionProof proof() {
        return proof;
    }

    /** Whether a lock that rests on this session can be proven to be held. Any thread. */
    boolean isValid(long now) {
        return proof.isValid(now) && session.liveness() != Liveness.ENDED;
    }

    /** The seats that stand in a queue or hold a lock. */
    Set<Seat> seats() {
        return seats;
    }

    boolean hasEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    void create(String path, byte[] data, Reply<Node> reply) {
        session.create(path, data, observed(Proves.COMMIT, reply));
    }

    void makeFolder(String path, Reply<Void> reply) {
        session.makeFolder(path, observed(Proves.NOTHING, reply));
    }

    void list(String folder, Reply<List<String>> reply) {
        session.list(folder, observed(Proves.NOTHING, reply));
    }

    /**
     * Lists a folder as it is now, also on a server that lags behind. {@link Outcome#UNKNOWN} if what was listed may be
     * older than that.
     */
    void listSynced(String folder, Reply<List<String>> reply) {
        AtomicBoolean synced = new AtomicBoolean();
        sync(folder, (outcome, none) -> synced.set(!outcome.isUnknown()));
        list(folder, (outcome, children) -> {
            if (outcome.isUnknown() || synced.get()) {
                reply.answered(outcome, children);
            } else {
                reply.answered(Outcome.UNKNOWN, null);
            }
        });
    }

    void listWatching(String folder, Watch watch, Reply<List<String>> reply) {
        session.listWatching(folder, watch, observed(Proves.NOTHING, reply));
    }

    void read(String path, Reply<Node> reply) {
        session.read(path, observed(Proves.NOTHING, reply));
    }

    void readWatching(String path, Watch watch, Reply<Node> reply) {
        session.readWatching(path, watch, observed(Proves.NOTHING, reply));
    }

    void unwatch(String path, Watch watch) {
        try {
            session.unwatch(path, watch);
        } catch (Throwable error) {
            // whoever leaves must not be held up by it: a watch too many does no harm (L19)
            LOG.debug("The watch on {} could not be removed", path, error);
        }
    }

    void delete(String path, Reply<Void> reply) {
        session.delete(path, observed(Proves.COMMIT, reply));
    }

    void deleteAll(List<String> paths, List<String> others, Reply<Integer> reply) {
        session.deleteAll(paths, others, observed(Proves.COMMIT, reply));
    }

    void write(String path, byte[] data, Reply<Void> reply) {
        session.write(path, data, observed(Proves.COMMIT, reply));
    }

    void replace(String path, String replacement, byte[] data, Reply<Void> reply) {
        session.replace(path, replacement, data, observed(Proves.COMMIT, reply));
    }

    void check(List<String> paths, Reply<Integer> reply) {
        session.check(paths, observed(Proves.COMMIT, reply));
    }

    void sync(String path, Reply<Void> reply) {
        session.sync(path, observed(Proves.LEADER, reply));
    }

    /** Requests are answered, on a new connection or session. */
    void connectionMade(long now) {
        session.createdAfterNanos().ifPresent(attemptedAfter -> proof.reconnected(attemptedAfter, now));
    }

    private <T> Reply<T> observed(Proves success, Reply<T> reply) {
        long sentAt = time.nanoTime();
        return (outcome, value) -> {
            if (!ended && !outcome.isUnknown()) {
                proof.answered(sentAt, time.nanoTime(), outcome == Outcome.OK ? success : Proves.NOTHING);
            }
            observer.answered(this, outcome);
            if (outcome == Outcome.UNKNOWN) {
                // whoever asks again does so after a pause: a server in trouble must not be stormed
                time.after(timeoutNanos() / UNKNOWN_PAUSES, () -> reply.answered(outcome, value));
            } else {
                reply.answered(outcome, value);
            }
        };
    }
}
