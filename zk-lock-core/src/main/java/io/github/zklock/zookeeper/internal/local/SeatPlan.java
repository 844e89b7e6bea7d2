package io.github.zklock.zookeeper.internal.local;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which requests of one lock have a turn next, and which seats the process needs for them. Owned by the loop. */
public interface SeatPlan {

    /** A request that can have a turn, and the seat at the head on which it can. */
    record Service(Claim claim, SeatUse use) {}

    /** The next request to have a turn; null if none can have one now. */
    @Nullable Service next();

    /** Seats that no turn rests on and no request needs. */
    Collection<SeatUse> unneeded();

    /** Requests for which a seat is to be created. */
    Collection<Claim> missing();

    /** The requests that this seat may serve. */
    List<Claim> servedBy(SeatUse use);

    void entered(Claim claim);

    /** The request does not wait any more. */
    void left(Claim claim);

    void added(SeatUse use);

    void removed(SeatUse use);

    /** A turn on the seat has ended. */
    void changed(SeatUse use);
}
