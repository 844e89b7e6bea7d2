/** Events of the application context for lost locks and long holds. */
@NullMarked
package io.github.zklock.event;

import org.jspecify.annotations.NullMarked;
