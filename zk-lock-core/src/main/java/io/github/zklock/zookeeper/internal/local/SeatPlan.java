package io.github.zklock.zookeeper.internal.local;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision which requests of one lock are granted next, and which seats the process needs for them. Owned by the
 * loop.
 */
public interface SeatPlan {

    /** A request that can be granted, and the seat at the head that can serve it. */
    record Service(Claim claim, SeatUse use) {}

    /** Returns the next request to grant; null if none can be granted now. */
    @Nullable Service next();

    /** Returns the seats that no turn uses and no request needs. */
    Collection<SeatUse> unneeded();

    /** Returns the requests for which a seat has to be created, in their order. */
    Collection<Claim> missing();

    /** Returns the requests that this seat may serve. */
    List<Claim> servedBy(SeatUse use);

    void entered(Claim claim);

    /** Called when the request does not wait any more. */
    void left(Claim claim);

    void added(SeatUse use);

    void removed(SeatUse use);

    /** Called when a turn on the seat has ended. */
    void changed(SeatUse use);
}
