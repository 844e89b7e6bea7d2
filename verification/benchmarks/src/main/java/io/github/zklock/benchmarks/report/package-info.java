/** Tables, charts and files with the results. */
@NullMarked
package io.github.zklock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
