/**
 * One pinned ZooKeeper session, the proof that it is alive, its renewal, and the questions that are asked on it until
 * they are answered.
 *
 * <p>Imports {@code transport}, {@code queue} and {@code runtime}. The packages that keep seats, and the inspector, may
 * import it.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.session;

import org.jspecify.annotations.NullMarked;
