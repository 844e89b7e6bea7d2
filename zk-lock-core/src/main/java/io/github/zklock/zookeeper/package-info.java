/**
 * The engine: locks as queues of sequential ephemeral nodes.
 *
 * <p>One acquire, from call to node: {@code EngineLock} hands a {@code Claim} to the {@code LocalQueue} of the lock, the queue takes
 * a {@code Seat} in the lock's folder, a {@code QueueWatch} tells when the seat has come to the head, and the {@code SessionKeeper}
 * proves that the session of the seat is alive. All of that state belongs to one {@code Loop}, which runs one task at a time. Only
 * what a handle answers without asking the loop is shared with other threads.
 */
@NullMarked
package io.github.zklock.zookeeper;

import org.jspecify.annotations.NullMarked;
