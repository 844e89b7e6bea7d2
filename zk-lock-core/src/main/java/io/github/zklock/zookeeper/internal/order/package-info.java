/**
 * The order in which the threads of this process request nested locks.
 *
 * <p>Imports {@code runtime}. The engine may import it.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.order;

import org.jspecify.annotations.NullMarked;
