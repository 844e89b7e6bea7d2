/** Locks as meters and observations of Micrometer's. */
@NullMarked
package io.github.zklock.observation;

import org.jspecify.annotations.NullMarked;
