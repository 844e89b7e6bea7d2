/** Benchmarks of locks, side by side with other libraries. */
@NullMarked
package io.github.zklock.benchmarks;

import org.jspecify.annotations.NullMarked;
