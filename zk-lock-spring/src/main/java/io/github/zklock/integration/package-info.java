/** Spring Integration's registry of locks, made of a {@link io.github.zklock.LockRegistry}. */
@NullMarked
package io.github.zklock.integration;

import org.jspecify.annotations.NullMarked;
