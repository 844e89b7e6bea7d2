/**
 * The engine: locks as queues of sequential ephemeral nodes.
 *
 * <p>One acquisition, from the call to the node: {@code EngineLock} passes a {@code Claim} to the {@code LocalQueue} of
 * the lock. The queue takes a {@code Seat} in the lock's folder. A {@code QueueWatch} shows when the seat has come to
 * the head. The {@code SessionKeeper} proves that the session of the seat is alive. All of that state belongs to one
 * {@code Loop}, which runs one task at a time. Only what a handle answers without the loop is shared with other
 * threads.
 *
 * <p>Imports every other package below {@code internal}. The builder of a registry may import it, and the registry in
 * memory for tests.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.engine;

import org.jspecify.annotations.NullMarked;
