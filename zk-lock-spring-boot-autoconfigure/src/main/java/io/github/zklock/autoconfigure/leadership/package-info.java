/** Auto-configuration of leaderships. */
@NullMarked
package io.github.zklock.autoconfigure.leadership;

import org.jspecify.annotations.NullMarked;
