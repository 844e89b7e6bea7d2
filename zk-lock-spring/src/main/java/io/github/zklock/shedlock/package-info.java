/** ShedLock's lock provider, backed by a {@link io.github.zklock.LockRegistry}. */
@NullMarked
package io.github.zklock.shedlock;

import org.jspecify.annotations.NullMarked;
