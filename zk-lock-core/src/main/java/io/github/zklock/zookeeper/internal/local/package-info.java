/**
 * The requests of this process for one lock, in their order: their seats in the lock's queue, and the turns that are
 * passed from thread to thread.
 *
 * <p>Imports {@code seat}, {@code session}, {@code queue}, {@code transport} and {@code runtime}. The engine may import
 * it, and the handles.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.local;

import org.jspecify.annotations.NullMarked;
