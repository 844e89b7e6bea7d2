/** Auto-configuration of meters and application events. */
@NullMarked
package io.github.zklock.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
