/** The loads that run in the measured processes. */
@NullMarked
package io.github.zklock.benchmarks.load;

import org.jspecify.annotations.NullMarked;
