/** What became of it, for people. */
@NullMarked
package io.github.zklock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
