/**
 * Meters of registries, and observations of calls. Imported by {@code aop}, which observes calls; {@code
 * LockObservations} and {@code CallObservation} are public for it alone.
 */
@NullMarked
package io.github.zklock.observation;

import org.jspecify.annotations.NullMarked;
