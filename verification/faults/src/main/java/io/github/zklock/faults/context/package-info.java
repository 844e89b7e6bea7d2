/** What a scenario plays on: an ensemble, clients, faults. */
@NullMarked
package io.github.zklock.faults.context;

import org.jspecify.annotations.NullMarked;
