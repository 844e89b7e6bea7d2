/** Three servers, and the wire to them. */
@NullMarked
package io.github.zklock.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
