/**
 * Auto-configuration of a {@link io.github.zklock.LockRegistry} from {@code zk.lock.*}: the properties, the client that
 * is built from them, the registry, and the types by which an application customizes both.
 *
 * <p>Imports {@code internal.client}. Every other package below may import its public types.
 */
@NullMarked
package io.github.zklock.autoconfigure;

import org.jspecify.annotations.NullMarked;
