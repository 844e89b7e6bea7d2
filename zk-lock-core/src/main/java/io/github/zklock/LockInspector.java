package io.github.zklock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A view of the locks that are held and waited for. {@link #held()}, {@link #awaited()} and {@link #session()}
 * describe this registry and do no I/O. The other methods ask ZooKeeper, for at most the registry's connection timeout.
 * They throw {@link LockUnavailableException} if ZooKeeper does not answer in that time, and {@link
 * LockAccessDeniedException} if an access list forbids the request.
 *
 * <p>Not guaranteed: that a result is still true when the caller reads it.
 */
public interface LockInspector {

    /** Returns the locks that this registry holds, oldest grant first. */
    List<Held> held();

    /** Returns the requests of this registry that wait, oldest first. */
    List<Awaited> awaited();

    /** Returns the state of the session that owns the locks of this registry. */
    Session session();

    /**
     * Returns the queue of a lock over the whole cluster, holders first, in the order in which it is served. Only the
     * first 1,000 seats of a longer queue are read.
     *
     * @throws InterruptedException if the thread is interrupted during the request
     */
    List<Seat> queue(String name) throws InterruptedException;

    /**
     * Returns the names of locks that have a queue or had one recently, in the order of their paths: the names below
     * {@code prefix} that follow {@code after}. A name without a queue is left out if there are longer names below it,
     * because it may be no lock but only a folder of locks. Locks below folders that this process may not read are left
     * out, too.
     *
     * @param prefix a name, or {@code /} for all names
     * @param after the last name of the previous page, or empty for the first page
     * @param limit the size of the page, from 1 to 10,000
     * @throws InterruptedException if the thread is interrupted during the request
     */
    List<LockName> names(String prefix, String after, int limit) throws InterruptedException;

    /**
     * Releases a lock by force: deletes the seat with this id if the seat holds. The loss is reported to its holder.
     *
     * <p>Not guaranteed: that the holder has stopped working by then. Use this method for a holder that is known to be
     * stuck. For a moment after a holder has passed the lock to another holder of its process, its seat may still be
     * the first one. If you evict that seat, no holder loses the lock; read the queue again.
     *
     * @return whether the seat held and is deleted
     * @throws InterruptedException if the thread is interrupted during the request
     */
    boolean evict(String name, String seatId) throws InterruptedException;

    /**
     * A lock that this registry holds.
     *
     * @param permits the number of a semaphore's permits; 1 for other kinds
     * @param holder the name of the thread that acquired the lock
     * @param holds the number of handles and scopes that keep the lock
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
     * A request of this registry that waits.
     *
     * @param permits the number of a semaphore's permits; 1 for other kinds
     * @param waiter the name of the thread that requested the lock
     */
    record Awaited(LockName name, LockKind kind, int permits, String waiter, Duration waited) {}

    /**
     * The session that owns the locks of this registry.
     *
     * @param id ZooKeeper's number of the session, in hexadecimal; empty while there is no session
     * @param timeout the negotiated timeout; zero while there is no session
     * @param remaining the time for which the session is proven to be alive
     * @param renewals the number of renewals of that proof since the registry started, over all its sessions
     * @param seats the number of nodes that this registry has in queues, or may have, on the session; nodes of other
     *     code on a shared client are not counted
     * @param seatBytes the bytes that the paths of these nodes take in the transaction that closes the session
     * @param seatBudget the limit of these bytes, beyond which no further lock is acquired; 0 if there is no limit
     */
    record Session(
            boolean connected,
            String id,
            Duration timeout,
            Duration remaining,
            long renewals,
            int seats,
            long seatBytes,
            long seatBudget) {}

    /**
     * A seat: the node of a holder or waiter in a queue. The description of its owner is written by the owner and is not verified.
     *
     * @param id identifies the seat within its queue
     * @param permits the number of a semaphore's permits that it requests; 1 for other kinds
     * @param of the number of permits that the semaphore has in its process; 1 for other kinds
     * @param holds whether no other seat blocks this one: it holds or lingers; otherwise it waits. The queue does not
     *     distinguish a seat in use from a seat that only lingers, because its process may use it again at any instant
     * @param owner the creator of the seat; empty if the creator did not describe itself, as Curator's clients do not,
     *     or if the description was not read
     * @param sessionId ZooKeeper's number of the owner's session, in hexadecimal; {@code 0} if the seat belongs to no
     *     session. Empty if it was not read: an access list forbids it, or the seat is too far behind in the queue
     */
    record Seat(
            String id,
            LockKind kind,
            int permits,
            int of,
            boolean holds,
            long sequence,
            String sessionId,
            Optional<Owner> owner) {}

    /** The description that the owner of a seat wrote. */
    record Owner(
            String instance,
            String host,
            long pid,
            String thread,
            @Nullable Instant since) {}
}
