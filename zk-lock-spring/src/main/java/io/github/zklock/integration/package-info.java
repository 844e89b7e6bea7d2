/** Spring Integration's lock registry, backed by a {@link io.github.zklock.LockRegistry}. */
@NullMarked
package io.github.zklock.integration;

import org.jspecify.annotations.NullMarked;
