/** Events of the application context for lost locks, long holds and leaderships. */
@NullMarked
package io.github.zklock.event;

import org.jspecify.annotations.NullMarked;
