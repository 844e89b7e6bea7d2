/**
 * The engine: locks as queues of sequential ephemeral nodes.
 *
 * <p>One acquire, from call to node: {@code EngineLock} hands a {@code Claim} to the {@code LocalQueue} of the lock, the queue takes
 * a {@code Seat} in the lock's folder, a {@code QueueWatch} tells when the seat has come to the head, and the {@code SessionKeeper}
 * proves that the session of the seat is alive. All of that state belongs to one {@code Loop}, which runs one task at a time. Only
 * what a handle answers without asking the loop is shared with other threads.
 *
 * <p>Imports every other room. The builder of a registry may import it, and the registry in memory for tests.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.engine;

import org.jspecify.annotations.NullMarked;
