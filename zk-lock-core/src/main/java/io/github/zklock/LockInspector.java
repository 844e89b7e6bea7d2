package io.github.zklock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is held, awaited and queued. {@link #held()}, {@link #awaited()} and {@link #session()} tell of this registry
 * and do no I/O; the others ask the cluster, for at most the registry's connection timeout, and throw {@link
 * LockUnavailableException} if it does not answer in that time, {@link LockAccessDeniedException} if an access list
 * forbids them to ask.
 *
 * <p>Not guaranteed: that what is told still holds when it is read.
 */
public interface LockInspector {

    /** The locks that this registry holds, oldest grant first. */
    List<Held> held();

    /** The waits of this registry, oldest first. */
    List<Awaited> awaited();

    /** The state of the session on which this registry's locks rest. */
    Session session();

    /**
     * The queue of a lock over the whole cluster, in the order in which it is served: holders first.
     * Of a very long one only the first 1,000 seats are read.
     *
     * @throws InterruptedException if interrupted while asking
     */
    List<Seat> queue(String name) throws InterruptedException;

    /**
     * Names of locks that have a queue or had one lately, in the order of their paths: those below {@code prefix} that
     * come after {@code after}. What lies below folders that this process may not read is left out.
     *
     * @param prefix a name, or {@code /} for all
     * @param after the last name of the page before, or empty for the first page
     * @param limit the size of the page, from 1 to 10,000
     * @throws InterruptedException if interrupted while asking
     */
    List<LockName> names(String prefix, String after, int limit) throws InterruptedException;

    /**
     * How many of a semaphore's permits are neither held nor owed to those who wait; not negative. Permits that linger are
     * available: see {@link ClusterSemaphore#availablePermits()}.
     *
     * @param permits the semaphore's number of permits
     * @throws LockMismatchException if the name is in use with another number of permits, or as another kind of lock
     * @throws InterruptedException if interrupted while asking
     */
    int availablePermits(String name, int permits) throws InterruptedException;

    /**
     * Forces a lock out of a holder's hands: deletes the seat of this id, if it holds. Its holder is told of a loss.
     *
     * <p>Not guaranteed: that the holder has stopped working by then. Use it for a holder that is known to be stuck. For a
     * moment after a holder gave way to another one of its process, its seat may still be the first: evicting that one takes
     * the lock from nobody, and the queue has to be read again.
     *
     * @return whether that seat held and is gone
     * @throws InterruptedException if interrupted while asking
     */
    boolean evict(String name, String seatId) throws InterruptedException;

    /**
     * A lock held here.
     *
     * @param permits how many of a semaphore's permits; 1 for other kinds
     * @param holder the thread that acquired it, by name
     * @param holds how many handles and scopes keep it
     */
    record Held(
            LockName name,
            LockKind kind,
            int permits,
            FencingToken token,
            LockState state,
            String seatId,
            String holder,
            Duration held,
            Duration remaining,
            int holds) {}

    /**
     * A wait.
     *
     * @param permits how many of a semaphore's permits; 1 for other kinds
     * @param waiter the thread that asked for the lock, by name
     */
    record Awaited(LockName name, LockKind kind, int permits, String waiter, Duration waited) {}

    /**
     * The session.
     *
     * @param id ZooKeeper's number of it, in hexadecimal; empty while there is none
     * @param timeout as negotiated; zero while there is none
     * @param remaining the time for which it is proven to be alive
     * @param renewals how often that proof has been renewed since the registry began, over all its sessions
     * @param seats the number of nodes that the session has in queues, or may have; those of others on a shared client are
     *     not counted
     * @param seatBytes the bytes that the paths of these nodes take in the transaction that closes the session
     * @param seatBudget the limit of these bytes, beyond which no further lock is acquired; 0 if there is none
     */
    record Session(
            boolean connected,
            String id,
            Duration timeout,
            Duration remaining,
            long renewals,
            int seats,
            long seatBytes,
            long seatBudget) {

        /** A session without seats and without a limit of them. */
        public Session(boolean connected, String id, Duration timeout, Duration remaining, long renewals) {
            this(connected, id, timeout, remaining, renewals, 0, 0, 0);
        }
    }

    /**
     * A seat in a queue. What is told of its owner was written by the owner and is not verified.
     *
     * @param id names the seat within its queue
     * @param permits how many of a semaphore's permits it asks for; 1 for other kinds
     * @param holds whether nothing stands in its way: it holds or lingers; otherwise it waits. The queue does not tell a seat
     *     in use from a seat that only lingers, as its process may use it again at any instant
     * @param owner who made it; empty if it did not say so, as Curator's clients do not, or was not read
     * @param sessionId ZooKeeper's number of the owner's session, in hexadecimal; {@code 0} if the seat goes with no
     *     session, empty if it was not read, because an access list forbids it or because it stands too far behind
     */
    record Seat(
            String id,
            LockKind kind,
            int permits,
            boolean holds,
            long sequence,
            String sessionId,
            Optional<Owner> owner) {}

    /** What the owner of a seat says of itself. */
    record Owner(
            String instance,
            String host,
            long pid,
            String thread,
            @Nullable Instant since) {}
}
