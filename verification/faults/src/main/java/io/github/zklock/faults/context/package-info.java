/** What a scenario works with: clients, faults, and the evaluation of its run. */
@NullMarked
package io.github.zklock.faults.context;

import org.jspecify.annotations.NullMarked;
