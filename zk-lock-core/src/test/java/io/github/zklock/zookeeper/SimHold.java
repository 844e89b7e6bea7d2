package io.github.zklock.zookeeper;

import io.github.zklock.LockName;

/** A grant as the checks see it. */
final class SimHold {

    private final SimContender contender;
    private final Turn turn;
    private final String path;
    private final long session;
    private final long grantedAt;

    /** Given back or told to be lost: what its turn says of validity no longer matters. */
    boolean over;

    boolean toldLost;
    boolean releaseSeen;
    /** Since when the node is gone; -1 while it is there. */
    long goneSince = -1;

    SimHold(SimContender contender, Turn turn, String path, long session, long grantedAt) {
        this.contender = contender;
        this.turn = turn;
        this.path = path;
        this.session = session;
        this.grantedAt = grantedAt;
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

    long token() {
        return turn.token().value();
    }

    /** The seat's node at the time of the grant. */
    String path() {
        return path;
    }

    long session() {
        return session;
    }

    long grantedAt() {
        return grantedAt;
    }

    /** Whether its process takes it for valid at this instant. */
    boolean claimsToBeValid() {
        return !over && turn.isHeld();
    }

    @Override
    public String toString() {
        return "token " + token() + " of process " + process().id() + " on " + path;
    }
}
