/**
 * Meters of registries and observations of calls. {@code aop} imports this package and observes calls with it. {@code
 * LockObservations} and {@code CallObservation} are public only for {@code aop}.
 */
@NullMarked
package io.github.zklock.observation;

import org.jspecify.annotations.NullMarked;
