/**
 * Deadlocks between requests of several processes: the nested waits of this process, their publication, and the search
 * for a cycle.
 *
 * <p>Imports {@code local}, {@code session}, {@code transport}, {@code queue} and {@code runtime}. The engine may import
 * it.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.deadlock;

import org.jspecify.annotations.NullMarked;
