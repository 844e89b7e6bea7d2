package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.LockEvent;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.Tokens;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.seat.Deletion;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;

/**
 * The reporter of what happens to claims and turns: to listeners, to loss actions, and in the log. Throws no
 * exception: a failure to report must not affect the engine. (L19)
 */
public final class Announcer {

    private static final Logger LOG = EngineLog.of(Announcer.class);

    private record DifferingPermits(LockName name, int own, int other) {}

    private static final int MOST_DIFFERING = 1_000;
    private static final long EPOCH_WARNING = Tokens.MAX_EPOCH / 5 * 4;

    private final Notifier notifier;
    private final Time time;
    /** The differing numbers of permits of which the log has a warning, the oldest first. */
    private final Set<DifferingPermits> differing = new LinkedHashSet<>();

    private boolean epochWarned;

    public Announcer(Notifier notifier, Time time) {
        this.notifier = notifier;
        this.time = time;
    }

    void queued(Claim claim, boolean waitsForItself) {
        if (notifier.isHeard() && claim.patience().waitsForHolders()) {
            tell(new LockEvent.Queued(claim.name()));
        }
        if (waitsForItself) {
            LOG.warn(
                    "Thread '{}' waits for lock '{}', which it acquired itself by a handle: the wait ends only if another"
                            + " thread closes that handle, or at the deadline",
                    claim.waiter(),
                    claim.name());
        }
    }

    /** Warns once if the queue has another number of permits than a demand for some. */
    void compareNumbers(LockName name, Demand demand, QueueView view) {
        int own = demand.of();
        if (demand.kind() == LockKind.PERMITS) {
            view.otherNumberThan(own).ifPresent(other -> differing(new DifferingPermits(name, own, other)));
        }
    }

    private void differing(DifferingPermits permits) {
        if (differing.add(permits)) {
            if (differing.size() > MOST_DIFFERING) {
                differing.remove(differing.iterator().next());
            }
            LOG.warn(
                    "Semaphore '{}' is requested with {} permits here, and with {} by another request in its queue. A request"
                            + " is granted if its permits and those in front of it fit into the smallest of these numbers."
                            + " Unless the number is being changed, use one number in all processes",
                    permits.name(),
                    permits.own(),
                    permits.other());
        }
    }

    public void granted(Turn turn) {
        if (notifier.isHeard()) {
            tell(new LockEvent.Acquired(turn.name(), turn.token(), turn.waited(), turn.isOnKeptSeat()));
        }
        long epoch = Tokens.epoch(turn.seat().czxid());
        if (epoch > EPOCH_WARNING && !epochWarned) {
            epochWarned = true;
            LOG.warn(
                    "The ensemble is at epoch {} of {} that fit into a fencing token: beyond that, no lock is"
                            + " granted. Plan for a new ensemble",
                    epoch,
                    Tokens.MAX_EPOCH);
        }
    }

    public void refused(Claim claim, Refusal refusal) {
        Duration waited = Duration.ofNanos(time.nanoTime() - claim.askedAt());
        if (refusal.reason() == Reason.BUSY && claim.patience().waitsForHolders()) {
            tell(new LockEvent.TimedOut(claim.name(), waited));
        } else if (refusal.reason() == Reason.UNAVAILABLE || refusal.reason() == Reason.DENIED) {
            tell(new LockEvent.Unavailable(claim.name(), waited));
        }
    }

    /** Reports a loss. The state of the turn shows it already. */
    public void lost(Turn turn, String reason) {
        Isolated.run(() -> notifier.lost(turn));
        turn.markLossTold();
        tell(new LockEvent.Lost(turn.name(), turn.token(), reason));
        LOG.warn(
                "Lock '{}' held by {} was lost after {}: {}; work under token {} must stop",
                turn.name(),
                turn.holder(),
                Words.of(turn.held()),
                reason,
                turn.token());
    }

    public void released(Turn turn) {
        if (notifier.isHeard()) {
            tell(new LockEvent.Released(turn.name(), turn.token(), turn.held()));
        }
    }

    void releaseConfirmed(Turn turn) {
        Isolated.run(() -> notifier.released(turn));
    }

    /** Returns an observer that reports for this turn what happens to its seat. */
    Deletion.Observer releaseOf(Turn turn) {
        return new Deletion.Observer() {
            @Override
            public void gone() {
                releaseConfirmed(turn);
            }

            @Override
            public void unseen() {
                Isolated.run(() -> notifier.releaseUnseen(turn));
            }
        };
    }

    private void tell(LockEvent event) {
        Isolated.run(() -> notifier.tell(event));
    }
}
