/**
 * The loop on which all state of a registry changes, the engine's clocks, threads, log and event delivery.
 *
 * <p>Imports nothing of the engine. Every other package below {@code zookeeper} may import it.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.runtime;

import org.jspecify.annotations.NullMarked;
