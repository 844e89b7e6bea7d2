package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.zookeeper.internal.queue.Demand;
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

    /** Returns whether a request with this demand could be granted at once. */
    boolean serves(Demand demand);

    /**
     * Returns seats that no turn uses and no request needs, each once at least.
     *
     * @param mayStay whether seats that have served turns may be kept although no request needs them; if not, all of
     *     these are returned
     */
    Collection<SeatUse> unneeded(boolean mayStay);

    /** Returns the requests for which a seat has to be created, in their order. */
    Collection<Claim> missing();

    /** Returns the requests that this seat may serve. */
    List<Claim> servedBy(SeatUse use);

    void entered(Claim claim);

    /** Called when the request does not wait any more. */
    void left(Claim claim);

    void added(SeatUse use);

    void reachedHead(SeatUse use);

    void removed(SeatUse use);

    /** Called when a turn on the seat has begun. */
    void began(SeatUse use);

    /** Called when a turn on the seat has ended. */
    void ended(SeatUse use);
}
