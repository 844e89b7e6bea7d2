/**
 * The seats of this process in the queues of locks: a node from its creation until it is deleted, the view of its
 * queue, and deletions that are pursued to their end.
 *
 * <p>Imports {@code session}, {@code queue}, {@code transport} and {@code runtime}. The local queues may import it.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.seat;

import org.jspecify.annotations.NullMarked;
