package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockName;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.Demand;

/** A grant as the checks see it. */
final class SimHold {

    private final SimContender contender;
    private final Turn turn;
    private final Demand demand;
    private final long session;
    private final long askedAt;
    private final long grantedAt;

    /** The seat's node: as it was at the grant, or as what replaced that. */
    String path;

    /** Given back or told to be lost: what its turn says of validity no longer matters. */
    boolean over;

    long overAt;

    boolean toldLost;
    boolean releaseSeen;
    /** Whether it was said that nobody will see it. */
    boolean releaseUnseen;
    /** Since when the node is gone; -1 while it is there. */
    long goneSince = -1;
    /** The last instant at which it was seen to be valid. */
    long lastValidAt;
    /** Whether its process may ever have taken it for valid wrongly, for a reason that is not its fault. */
    boolean excused;

    SimHold(SimContender contender, Turn turn, Demand demand, String path, long askedAt, long grantedAt) {
        this.contender = contender;
        this.turn = turn;
        this.demand = demand;
        this.path = path;
        this.session = turn.seat().session().sessionId();
        this.askedAt = askedAt;
        this.grantedAt = grantedAt;
        this.lastValidAt = grantedAt;
    }

    SimContender contender() {
        return contender;
    }

    SimProcess process() {
        return contender.process();
    }

    LockName lock() {
        return contender.lock();
    }

    Turn turn() {
        return turn;
    }

    Demand demand() {
        return demand;
    }

    long token() {
        return turn.token().value();
    }

    SimSeat seat() {
        return SimSeat.of(SimTree.nameOf(path));
    }

    long session() {
        return session;
    }

    long askedAt() {
        return askedAt;
    }

    long grantedAt() {
        return grantedAt;
    }

    /** Whether it had the seat at this instant or later. */
    boolean wasThereSince(long instant) {
        return !over || overAt >= instant;
    }

    /** Whether its process takes it for valid at this instant. */
    boolean claimsToBeValid() {
        return !over && turn.isHeld();
    }

    @Override
    public String toString() {
        return "token " + token() + " of process " + process().id() + " (" + demand + ") on " + path;
    }
}
