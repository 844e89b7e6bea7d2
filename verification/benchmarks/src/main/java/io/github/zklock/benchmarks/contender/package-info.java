/** The systems whose locks are measured. */
@NullMarked
package io.github.zklock.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
