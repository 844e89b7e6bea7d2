/**
 * Fault scenarios: servers and clients are processes that a scenario pauses, kills and isolates, and checkers judge the
 * events of all processes on one timeline. A scenario that fails keeps its events and logs below {@code target/faults};
 * with {@code FAULTS_KEEP=true} in the environment of {@code run} each scenario does.
 */
@NullMarked
package io.github.zklock.faults;

import org.jspecify.annotations.NullMarked;
