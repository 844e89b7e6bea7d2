/** The events of a scenario run on one timeline, and what can be derived from them. */
@NullMarked
package io.github.zklock.faults.timeline;

import org.jspecify.annotations.NullMarked;
