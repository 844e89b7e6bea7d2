/**
 * Leaderships as beans: their start and end with the context, their events, and {@link
 * io.github.zklock.annotation.OnlyLeader}.
 */
@NullMarked
package io.github.zklock.leadership;

import org.jspecify.annotations.NullMarked;
