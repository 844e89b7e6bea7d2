/** The servers that are measured, and the proxies to them. */
@NullMarked
package io.github.zklock.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
