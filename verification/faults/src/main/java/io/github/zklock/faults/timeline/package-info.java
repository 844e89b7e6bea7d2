/** What happened in all processes, on one line of time. */
@NullMarked
package io.github.zklock.faults.timeline;

import org.jspecify.annotations.NullMarked;
