package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.HandOff;
import io.github.zklock.LockInspector.Owner;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.seat.QueueWatch;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What keeps the claims of this process from the lock, as far as is known: the reason for a caller whose wait ends without
 * it. Owned by the loop.
 */
final class Obstacles {

    /*
     * Such a caller learns either that others hold the lock or precede it (BUSY), or that this is not known (UNAVAILABLE).
     * (L31)
     *
     * Invariants:
     *
     * - Without a live connection it is not known, whatever was known before.
     * - A claim for which a seat is at the head lacks only the proof of the session: no other one precedes it.
     * - Of other processes, only what this connection has shown counts. A seat that was behind others may leave just before
     *   the limit of a later claim, which has waited for them as well. Therefore the latest such seat is kept.
     * - Claims that end at about the same time share one request about the first seat of the queue.
     */

    /** The time for which an answer about the first seat is shared, in nanoseconds. */
    private static final long FIRST_KNOWN = TimeUnit.SECONDS.toNanos(1);

    private final String folder;
    private final HandOff handOff;
    private final OwnSeats seats;
    private final Occupancy occupancy;
    private final EngineContext context;

    /** Null unless a claim has waited for long. */
    private @Nullable FirstSeat first;
    /** The latest seat of this connection that left while it was behind others; null if there was none. */
    private @Nullable SeatUse leftBehind;

    private long leftBehindAt;

    Obstacles(String folder, HandOff handOff, OwnSeats seats, Occupancy occupancy, EngineContext context) {
        this.folder = folder;
        this.handOff = handOff;
        this.seats = seats;
        this.occupancy = occupancy;
        this.context = context;
    }

    /**
     * Returns the reason for a claim at its limit. The claim has not been removed: others in front of it count.
     *
     * @param isAtHead whether a seat at the head can serve the claim
     */
    Refusal atLimit(Claim claim, boolean isAtHead, boolean isAsking, @Nullable QueueWatch watch) {
        return block(claim, isAtHead, watch)
                ? busy(claim, watch)
                : notAnswered(claim, isAtHead, isAsking).about(claim.name());
    }

    /**
     * Returns whether a live connection shows that other requests hold the lock or precede this one.
     *
     * @param isAtHead whether a seat at the head can serve the claim
     */
    boolean block(Claim claim, boolean isAtHead, @Nullable QueueWatch watch) {
        return context.keeper().isConnected()
                && !isAtHead
                && (isAnyoneAhead(watch) || occupancy.keepsWaiting(claim) || wasTakenMeanwhile(claim));
    }

    /** Returns the refusal of a claim that others precede. */
    Refusal busy(Claim claim, @Nullable QueueWatch watch) {
        return claim.busy(occupancy
                .blocker(claim.demand())
                .map(current -> "held by " + current.holder() + " of this process")
                .orElseGet(() -> Claim.ahead(Math.max(1, othersAhead(watch))) + describeFirst(claim)));
    }

    /** @param isAsking whether the claim had no seat and only asked whether the lock is free */
    private Refusal notAnswered(Claim claim, boolean isAtHead, boolean isAsking) {
        if (!context.keeper().isConnected()) {
            return claim.notAnswered(context.keeper().trouble());
        }
        Duration waited = Duration.ofNanos(context.time().nanoTime() - claim.askedAt());
        if (isAtHead) {
            return claim.notProvenYet(waited);
        }
        String question = isAsking
                ? "the request whether it is free"
                : !seats.heads().isEmpty()
                        ? "the request that proves that the session is alive"
                        : "the request for a seat in its queue";
        return claim.notAnsweredYet(question, waited);
    }

    /** Returns whether a seat is in front of the last seat of this process, as far as is known. */
    private boolean isAnyoneAhead(@Nullable QueueWatch watch) {
        SeatName last = lastIn(watch);
        return watch != null && last != null && watch.view().hasSeatBefore(last);
    }

    /** Returns how many seats of others are in front of the last seat of this process, as far as is known. */
    private int othersAhead(@Nullable QueueWatch watch) {
        SeatName last = lastIn(watch);
        return watch == null || last == null ? 0 : watch.view().othersBefore(last, Claim.MOST_COUNTED);
    }

    private @Nullable SeatName lastIn(@Nullable QueueWatch watch) {
        // a seat that waited behind another one of its process was created after the listing, behind all seats in the
        // listing
        return watch == null || !watch.isRecent()
                ? null
                : seats.lastWaiting(OwnSeats.standInARow(occupancy.use(), handOff));
    }

    /**
     * Returns whether a seat of an earlier claim, which has left since this claim was made, was behind others. Then this
     * claim waited for them as well, whether it had a seat or not.
     */
    private boolean wasTakenMeanwhile(Claim claim) {
        Claim before = leftBehind == null ? null : leftBehind.seeker();
        return before != null && before.place < claim.place && leftBehindAt - claim.askedAt() >= 0;
    }

    /** Records that the seat is about to leave. */
    void leaves(SeatUse used, @Nullable QueueWatch watch) {
        SeatName node = used.seat().name();
        if (node != null
                && used.seat().isWaiting()
                && watch != null
                && watch.isRecent()
                && watch.view().hasOtherBefore(node)
                && !watch.view().holds(node)) {
            leftBehind = used;
            leftBehindAt = context.time().nanoTime();
        }
    }

    void connectionLost() {
        leftBehind = null;
    }

    /** Finds out which process is first in the queue, for the messages of claims that end soon. */
    void identifyFirst(PinnedSession session) {
        long now = context.time().nanoTime();
        if (first == null || !first.isSince(now - FIRST_KNOWN)) {
            first = FirstSeat.ask(session, folder, now);
        }
    }

    private String describeFirst(Claim claim) {
        return first == null || !first.isSince(claim.askedAt()) ? "" : first.description();
    }

    /**
     * The owner of the first seat of the queue at one moment. Not guaranteed: that the owner is known, for example because an
     * access list forbids this client to read the seat.
     */
    private static final class FirstSeat {

        private final long askedAt;
        private @Nullable Owner owner;

        private FirstSeat(long askedAt) {
            this.askedAt = askedAt;
        }

        /**
         * Asks for the owner. The answer comes later. The queue is listed first: the view of a process that waits far
         * behind does not follow the head.
         */
        static FirstSeat ask(PinnedSession session, String folder, long now) {
            FirstSeat first = new FirstSeat(now);
            session.list(
                    folder,
                    (outcome, children) -> QueueView.of(children == null ? List.of() : children)
                            .first()
                            .ifPresent(seat -> session.read(seat.pathIn(folder), (known, node) -> {
                                if (node != null) {
                                    first.owner =
                                            OwnerDescription.read(node.data()).orElse(null);
                                }
                            })));
            return first;
        }

        /** Returns whether the question was asked at this instant or later. */
        boolean isSince(long instant) {
            return askedAt - instant >= 0;
        }

        /** Returns a part of a sentence; empty if the owner is not known. */
        String description() {
            Owner known = owner;
            return known == null
                    ? ""
                    : ", the first one was instance '" + known.instance() + "', thread '" + known.thread() + "'"
                            + (known.since() == null ? "" : ", since " + known.since());
        }
    }
}
