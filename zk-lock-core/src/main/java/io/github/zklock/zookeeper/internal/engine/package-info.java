/**
 * The engine: locks as queues of sequential ephemeral nodes.
 *
 * <p>One acquisition, from the call to the grant: {@code EngineLock}, an {@code Acquisition}, makes a {@code Claim},
 * and the thread waits in a {@code Waiter}. {@code EngineAccess} passes the claim to the {@code Loop}, which runs one task at
 * a time and owns all state from here on. {@code EngineKeeper} has the present {@code Engine}; if a task throws, it
 * replaces the engine. The engine passes the claim to the {@code LocalQueue} of the lock. The queue takes a
 * {@code Seat}, which is a node in the lock's folder, and its {@code QueueWatch} lists the folder right behind the
 * create. When the {@code QueueView} holds the seat and the {@code SessionProof} is valid, the queue grants a
 * {@code Turn}. The caller gets an {@code EngineHandle} of it. Only what a handle answers without the loop is shared
 * with other threads.
 *
 * <p>The release: the last handle ends the turn. The next claim of this process gets the seat, or a {@code Deletion}
 * deletes its node. {@code Contention} decides when another process may acquire the lock, {@code SeatUse} keeps a seat that
 * lingers, and {@code Shutdown} ends all. {@code Seat.Owner.gone} reports a lost session or node to the queue: its turns
 * are lost, and its waiting claims get other seats. {@code PinnedSession} sends all requests, the writes and listings
 * through {@code GroupCommit}, and notes all answers for the proof.
 *
 * <p>The failures: {@code Seat} finds out what became of a create whose answer was lost, and {@code OrphanSweep}
 * deletes a node that appears later. {@code SessionProof} decides whether the session is proven, and {@code
 * ExpiryProbe} ends the suspicion after a lapse; without a proof, handles are suspended and nothing is granted. {@code
 * Renewal} detects within T/8 that a node was deleted by others. {@code Isolated} logs an exception of one step; after
 * anything else that a task throws, {@code EngineKeeper.recover} replaces the engine. {@code LocalQueue.endDue} ends
 * claims at their limits, for the reason that {@code Obstacles} finds. {@code Contention} lets others pass a seat that
 * lingers. {@code Sharers} has the rule for semaphores whose processes request different numbers. {@code Shutdown} ends
 * the registry, and {@code LockClient} its session.
 *
 * <p>Marks such as (L26) are failure cases; docs/internals/reliability.md and the decisions describe them.
 *
 * <p>Imports every other package below {@code internal}. The builder of a registry may import it, and the registry in
 * memory for tests.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.engine;

import org.jspecify.annotations.NullMarked;
