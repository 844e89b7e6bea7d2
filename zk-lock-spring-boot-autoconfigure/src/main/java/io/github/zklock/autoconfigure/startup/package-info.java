/**
 * The behavior at start-up by {@code zk.lock.startup}: whether the servers can be used, and the reasons if they cannot.
 *
 * <p>Imports {@code autoconfigure} and {@code internal.client}. {@code diagnostics} and the module {@code zk-lock-embedded} import
 * {@link io.github.zklock.autoconfigure.startup.ZkLockStartupException}, and no other class of this package.
 */
@NullMarked
package io.github.zklock.autoconfigure.startup;

import org.jspecify.annotations.NullMarked;
