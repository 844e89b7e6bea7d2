/** What is measured, with which systems. */
@NullMarked
package io.github.zklock.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
