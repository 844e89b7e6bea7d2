/**
 * The reading of what all processes have below the base path, request by request, for the inspector.
 *
 * <p>Imports {@code queue} and {@code transport}. The inspector may import it.
 */
@NullMarked
package io.github.zklock.zookeeper.internal.inspect;

import org.jspecify.annotations.NullMarked;
