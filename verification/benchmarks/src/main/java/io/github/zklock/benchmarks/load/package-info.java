/** What a process does while it is measured. */
@NullMarked
package io.github.zklock.benchmarks.load;

import org.jspecify.annotations.NullMarked;
