/** Servers and the network between them, as real processes and sockets, and the faults that can be injected there. */
@NullMarked
package io.github.zklock.faults.cluster;

import org.jspecify.annotations.NullMarked;
