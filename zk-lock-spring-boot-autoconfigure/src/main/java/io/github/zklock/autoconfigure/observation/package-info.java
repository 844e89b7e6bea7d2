/** Auto-configuration of meters, observations and events. */
@NullMarked
package io.github.zklock.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
