/** Rules that must hold on every line of time. */
@NullMarked
package io.github.zklock.faults.check;

import org.jspecify.annotations.NullMarked;
