/** What locking costs, measured side by side. */
@NullMarked
package io.github.zklock.benchmarks;

import org.jspecify.annotations.NullMarked;
