/** The fault scenarios, one method each. */
@NullMarked
package io.github.zklock.faults.scenario;

import org.jspecify.annotations.NullMarked;
