/** What is measured on whom. */
@NullMarked
package io.github.zklock.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
