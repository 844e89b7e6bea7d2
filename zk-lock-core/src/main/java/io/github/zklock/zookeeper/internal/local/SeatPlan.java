package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision which requests of one lock are granted next, and which seats the process needs for them. Owned by the
 * loop.
 *
 * <p>The plan learns of each request and seat by the methods at the end. Apart from seats that may stay, a decision that
 * is not carried out is made again.
 */
public interface SeatPlan {

    /** A request that can be granted, and the seat at the head that can serve it. */
    record Service(Claim claim, SeatUse use) {}

    /**
     * What the process does with its seats, as of the instant of the decision.
     *
     * @param leave the seats that no turn uses and no request needs
     * @param create the requests for which a seat has to be created, in their order
     */
    record Decision(List<SeatUse> leave, List<Claim> create) {

        static final Decision NOTHING = new Decision(List.of(), List.of());
    }

    /** Returns the next request to grant; null if none can be granted now. */
    @Nullable Service next();

    /**
     * Returns whether a seat at the head can serve this request. Among requests that can use the same seats, only the
     * first one counts.
     */
    default boolean isAtHead(Claim claim) {
        Service next = next();
        return next != null && next.claim() == claim;
    }

    /** Returns whether a request with this demand could be granted at once. */
    boolean serves(Demand demand);

    /**
     * Decides which seats leave, and for which requests seats are created.
     *
     * @param mayStay whether seats that have served turns may be kept although no request needs them. Then each of these is
     *     in one decision at least; otherwise in each decision until it is removed
     * @param mayCreate whether seats can be created now; if not, none are in the decision
     */
    Decision decide(boolean mayStay, boolean mayCreate);

    /** Returns the requests that this seat may serve. */
    List<Claim> servedBy(SeatUse use);

    default void entered(Claim claim) {}

    /** Called when the request does not wait any more. */
    default void left(Claim claim) {}

    default void added(SeatUse use) {}

    default void reachedHead(SeatUse use) {}

    default void removed(SeatUse use) {}

    /** Called when a turn on the seat has begun. */
    default void began(SeatUse use) {}

    /** Called when a turn on the seat has ended. */
    default void ended(SeatUse use) {}
}
