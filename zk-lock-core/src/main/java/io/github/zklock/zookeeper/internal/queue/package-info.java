/**
 * Values: the names of seats and folders, the order of a queue and its holders, the data and the tokens of seats.
 *
 * <p>Imports nothing of the engine. Every other package below {@code zookeeper} may import it.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.queue;

import org.jspecify.annotations.NullMarked;
