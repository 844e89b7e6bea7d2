/** Losses and long holds as events of the application context. */
@NullMarked
package io.github.zklock.event;

import org.jspecify.annotations.NullMarked;
