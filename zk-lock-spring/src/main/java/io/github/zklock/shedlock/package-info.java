/** ShedLock's provider of locks, made of a {@link io.github.zklock.LockRegistry}. */
@NullMarked
package io.github.zklock.shedlock;

import org.jspecify.annotations.NullMarked;
