/**
 * The behavior at start-up by {@code zk.lock.startup-timeout}: whether the servers can be used.
 *
 * <p>Imports {@code autoconfigure} and {@code internal.client}. No other package imports this one.
 */
@NullMarked
package io.github.zklock.autoconfigure.startup;

import org.jspecify.annotations.NullMarked;
